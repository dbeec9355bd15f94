package crawl

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRules is the limit of rules of a robots.txt, and maxMaps that of its sitemaps.
const (
	maxRules = 5000
	maxMaps  = 100
)

// robots are the rules of a robots.txt (RFC 9309) for this crawler. The zero value allows everything.
type robots struct {
	rules []rule
	delay time.Duration // between two pages
	maps  []string      // addresses of sitemaps
}

// A rule allows or forbids addresses.
type rule struct {
	allow  bool
	length int      // of the pattern; the longest that matches counts
	parts  []string // of the pattern, between its asterisks
	ends   bool     // the pattern is that of a whole address
}

// forbidden is used if the server fails to return its robots.txt.
var forbidden = robots{rules: []rule{{length: 1, parts: []string{"/"}}}}

// readRobots parses the response to a request for a robots.txt. If no rules name this crawler, those for all
// crawlers apply. It never fails: unknown lines are ignored.
//
// Patterns are compared part by part instead of by regular expressions, as libraries do: those took 20 s of
// processor time for one address and a file of the maximum size.
func readRobots(status int, body []byte) robots {
	switch {
	case status >= http.StatusInternalServerError:
		return forbidden
	case status < 200 || status > 299:
		return robots{}
	}
	var all, own robots
	var named, forAll, forOwn, inRules bool
	var maps []string
	for line := range strings.Lines(strings.TrimPrefix(string(body), "\ufeff")) {
		line, _, _ = strings.Cut(line, "#")
		name, value, ok := strings.Cut(line, ":")
		if value = strings.TrimSpace(value); !ok || value == "" {
			continue
		}
		switch name = strings.ToLower(strings.TrimSpace(name)); name {
		case "user-agent":
			if inRules {
				forAll, forOwn, inRules = false, false, false
			}
			forAll = forAll || value == "*"
			forOwn = forOwn || strings.EqualFold(agentToken(value), product)
			named = named || forOwn
		case "sitemap":
			if len(maps) < maxMaps {
				maps = append(maps, value)
			}
		case "allow", "disallow", "crawl-delay":
			inRules = true
			if forOwn {
				own.add(name, value)
			} else if forAll {
				all.add(name, value)
			}
		}
	}
	if named {
		all = own
	}
	all.maps = maps
	return all
}

// agentToken returns the product name in the value of User-agent, which may have a version.
func agentToken(value string) string {
	end := strings.IndexFunc(value, func(r rune) bool {
		return r != '-' && r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if end < 0 {
		return value
	}
	return value[:end]
}

// add adds a line of a group.
func (r *robots) add(name, value string) {
	if name == "crawl-delay" {
		if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 {
			r.delay = time.Duration(min(seconds, maxPause.Seconds()) * float64(time.Second))
		}
		return
	}
	if len(r.rules) < maxRules {
		pattern, ends := strings.CutSuffix(value, "$")
		r.rules = append(r.rules, rule{
			allow: name == "allow", length: len(value), parts: strings.Split(pattern, "*"), ends: ends,
		})
	}
}

// allows reports whether a path with its query may be read.
func (r *robots) allows(path string) bool {
	allow, length := true, 0
	for _, rule := range r.rules {
		if (rule.length > length || rule.length == length && rule.allow) && rule.matches(path) {
			allow, length = rule.allow, rule.length
		}
	}
	return allow
}

// matches reports whether the pattern is the beginning of a path, or all of it.
func (r *rule) matches(path string) bool {
	rest, ok := strings.CutPrefix(path, r.parts[0])
	for i, part := range r.parts[1:] {
		if !ok {
			break
		}
		if i == len(r.parts)-2 && r.ends { // the last part ends the path
			return strings.HasSuffix(rest, part)
		}
		_, rest, ok = strings.Cut(rest, part)
	}
	return ok && (!r.ends || len(r.parts) > 1 || rest == "")
}
