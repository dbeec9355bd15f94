package main

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
)

// How learning goes: how often all samples are seen, the step, and what draws weights to zero or to
// what they were.
const (
	rounds = 1500
	pace   = 0.05
	ridge  = 0.0005
)

// A vector is the components of one that are not zero, by their places.
type vector []struct {
	at int
	x  float64
}

// sparse is the vector of some components.
func sparse(all []float64) (v vector) {
	for i, x := range all {
		if x != 0 {
			v = append(v, struct {
				at int
				x  float64
			}{i, x})
		}
	}
	return v
}

// An adam is the state of Adam (Kingma and Ba, 2015) for some weights.
type adam struct {
	m, v []float64
	t    int
}

func (a *adam) step(w, gradient []float64) {
	if a.m == nil {
		a.m, a.v = make([]float64, len(w)), make([]float64, len(w))
	}
	a.t++
	const b1, b2 = 0.9, 0.999
	for i, g := range gradient {
		a.m[i] = b1*a.m[i] + (1-b1)*g
		a.v[i] = b2*a.v[i] + (1-b2)*g*g
		m, v := a.m[i]/(1-math.Pow(b1, float64(a.t))), a.v[i]/(1-math.Pow(b2, float64(a.t)))
		w[i] -= pace * m / (math.Sqrt(v) + 1e-8)
	}
}

// ofSentences is what the businesses count in the choice of sentences, as a share of what public sets
// count.
const ofSentences = 0.25

// weightsOf makes public sets count no more than the businesses together: what each
// sample counts, by its group. Share is what the businesses count beside the public sets.
func weightsOf(groups []string, share float64) map[string]float64 {
	public, own := 0.0, 0.0
	for _, g := range groups {
		if isPublic(g) {
			public++
		} else {
			own++
		}
	}
	out := map[string]float64{}
	for _, g := range groups {
		if out[g] = 1; !isPublic(g) && share*public > own && own > 0 {
			out[g] = share * public / own
		}
	}
	return out
}

func isPublic(group string) bool { return group == "xquad0" || group == "xquad1" }

// logistic fits a logistic regression to samples. The weights are drawn to zero.
func logistic(samples []sample, n int) []float64 {
	w, g := make([]float64, n), make([]float64, n)
	var groups []string
	for _, s := range samples {
		groups = append(groups, s.group)
	}
	weight := weightsOf(groups, 1)
	total := 0.0
	for _, s := range samples {
		total += weight[s.group]
	}
	var a adam
	for range rounds {
		for i := range g {
			g[i] = ridge * w[i]
		}
		for _, s := range samples {
			d := weight[s.group] * (sigmoid(dot(w, s.aspects)) - one(s.right)) / total
			for _, c := range s.aspects {
				g[c.at] += d * c.x
			}
		}
		a.step(w, g)
	}
	return w
}

// conditional fits a conditional logit to choices (McFadden, "Conditional logit analysis of
// qualitative choice behavior", 1974). Where several of a choice are right, any of them will do. The
// weights are drawn to what they were.
func conditional(choices []choice, n int, strength float64) []float64 {
	w := make([]float64, n)
	g := make([]float64, len(w))
	var groups []string
	for _, c := range choices {
		groups = append(groups, c.group)
	}
	weight := weightsOf(groups, ofSentences)
	total := 0.0
	for _, g := range groups {
		total += weight[g]
	}
	var a adam
	for range rounds / 3 {
		for i := range g {
			g[i] = strength * w[i]
		}
		for _, c := range choices {
			of := weight[c.group] / total
			p := c.shares(w)
			rightly := 0.0
			for i, s := range c.all {
				rightly += p[i] * one(s.right)
			}
			for i, s := range c.all {
				d := of * (p[i] - p[i]*one(s.right)/max(rightly, 1e-12))
				for _, c := range s.aspects {
					g[c.at] += d * c.x
				}
			}
		}
		a.step(w, g)
	}
	return w
}

func (c choice) shares(w []float64) []float64 {
	p := make([]float64, len(c.all))
	top, sum := math.Inf(-1), 0.0
	for i, s := range c.all {
		p[i] = dot(w, s.aspects)
		top = max(top, p[i])
	}
	for i := range p {
		p[i] = math.Exp(p[i] - top)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// first is the share of choices in which the best is right, and where one of the two best is.
func first(choices []choice, w []float64) (one, two float64) {
	for _, c := range choices {
		p := c.shares(w)
		order := make([]int, len(p))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			if p[a] > p[b] {
				return -1
			}
			return 1
		})
		if c.all[order[0]].right {
			one++
		}
		if c.all[order[0]].right || len(order) > 1 && c.all[order[1]].right {
			two++
		}
	}
	n := float64(max(1, len(choices)))
	return one / n, two / n
}

// unseen are the probabilities of samples by models that have not learnt from their groups.
func unseen(samples []sample, n int) []float64 {
	p := make([]float64, len(samples))
	for fold := range folds {
		others := slices.DeleteFunc(slices.Clone(samples),
			func(s sample) bool { return foldOf(s.group) == fold })
		w := logistic(others, n)
		for i, s := range samples {
			if foldOf(s.group) == fold {
				p[i] = sigmoid(dot(w, s.aspects))
			}
		}
	}
	return p
}

// folds is how many parts the groups are put into, of which each is left out once.
const folds = 8

// foldOf is the part that a group is in.
func foldOf(group string) int {
	h := fnv.New32a()
	h.Write([]byte(group))
	return int(h.Sum32() % folds)
}

// report prints how the probabilities of samples do.
func report(name string, samples []sample, p []float64) {
	fmt.Printf("%s: %d samples\n", name, len(samples))
	for _, public := range []bool{false, true} {
		var table [10]struct{ n, right int }
		loss, n, right, good, bad := 0.0, 0, 0, 0, 0
		for i, s := range samples {
			if isPublic(s.group) != public {
				continue
			}
			n++
			at := min(9, int(10*p[i]))
			table[at].n++
			if s.right {
				right++
				table[at].right++
			}
			if p[i] >= 0.5 && s.right {
				good++
			}
			if p[i] >= 0.5 && !s.right {
				bad++
			}
			loss -= math.Log(max(1e-9, one(s.right)*p[i]+(1-one(s.right))*(1-p[i])))
		}
		fmt.Printf("  public %v: %d, right %d; at .5 right %d, wrong %d; loss %.3f\n   ",
			public, n, right, good, bad, loss/float64(max(1, n)))
		for _, t := range table {
			fmt.Printf(" %d/%d", t.right, t.n)
		}
		fmt.Println()
	}
}

func dot(w []float64, v vector) float64 {
	sum := 0.0
	for _, c := range v {
		sum += w[c.at] * c.x
	}
	return sum
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
