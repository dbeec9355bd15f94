package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"frontdesk/infra/phrasing"
	"frontdesk/shared/concept"
	"frontdesk/shared/language"
	"frontdesk/shared/understand"
	"frontdesk/shared/understand/classify"
)

// Sizes of the models: with 29 classes and 16 languages their files stay below a megabyte together.
const (
	skillSlots    = 27_000
	languageSlots = 11_000
)

// How training goes: the rounds over all samples, the step, and what draws weights to zero.
const (
	rounds = 12
	step   = 0.35
	decay  = 1e-4
)

// folds is the number of parts of the phrasings, for each of which a model is trained on the others.
const folds = 4

// A task is samples as a learner sees them.
type task struct {
	features [][]classify.Feature
	is       [][]bool
	group    []int
	weight   []float32
	classes  int
}

// trainSkills learns the skills and acts.
func trainSkills(lines []phrasing.Line, digest string) classify.Trained {
	lines = slices.Concat(lines, fromWords())
	t := task{classes: len(classes)}
	for _, s := range samples(lines) {
		t.features = append(t.features, classify.Features(s.text, concept.Names(s.tag, s.text)...))
		t.is, t.group, t.weight = append(t.is, s.is), append(t.group, s.group), append(t.weight, s.weight)
	}
	out := classify.Trained{Digest: digest, Classes: classes,
		Slots: classify.Places(t.important(), skillSlots)}
	slots := places(out.Slots)
	unseen := make([][]float32, len(t.features)) // scores by models that did not learn from the sample
	for fold := range folds {
		weights, bias := t.learn(slots, skillSlots, func(group int) bool { return group%folds != fold })
		for i := range t.features {
			if t.group[i]%folds == fold {
				unseen[i] = scores(t.features[i], slots, weights, bias)
			}
		}
	}
	out.Weights, out.Bias = t.learn(slots, skillSlots, func(int) bool { return true })
	out.Slope, out.Offset = t.calibrate(unseen)
	return out
}

// trainLanguages learns the languages from all texts that there are in them.
func trainLanguages(lines []phrasing.Line, digest string) classify.Trained {
	t := task{classes: len(tongues)}
	chance := rand.New(rand.NewPCG(3, 4))
	add := func(tag, text string, weight float32) {
		is := make([]bool, len(tongues))
		is[slices.Index(tongues, tag)] = true
		t.features = append(t.features, classify.Letters(text))
		t.is, t.group, t.weight = append(t.is, is), append(t.group, len(t.group)), append(t.weight, weight)
	}
	count := map[string]int{}
	for _, l := range lines {
		if l.Held || slices.Contains(l.Skills, "details") {
			continue
		}
		for range min(l.Ways(), 4) {
			add(l.Language, l.Say(chance), 1)
			count[l.Language]++
		}
	}
	for _, tag := range languages {
		for _, text := range language.Phrases(tag) {
			add(tag, text, 1)
			count[tag]++
		}
	}
	for text := range strings.Lines(others) {
		line := phrasing.Line{Text: strings.TrimSpace(text)}
		for range min(line.Ways(), 4) {
			add(understand.OtherLanguage, line.Say(chance), 1)
			count[understand.OtherLanguage]++
		}
	}
	for i := range t.weight { // each language counts alike
		for c, is := range t.is[i] {
			if is {
				t.weight[i] *= float32(math.Sqrt(3000 / float64(count[tongues[c]])))
			}
		}
	}
	out := classify.Trained{Digest: digest, Classes: tongues,
		Slots: classify.Places(t.important(), languageSlots)}
	out.Weights, out.Bias = t.learn(places(out.Slots), languageSlots, func(int) bool { return true })
	out.Slope, out.Offset = make([]float32, t.classes), make([]float32, t.classes)
	for i := range out.Slope {
		out.Slope[i] = 1
	}
	return out
}

// important lists the features that at least two phrasings have, first those that most phrasings have and
// that tell most.
func (t task) important() []uint32 {
	base := make([]float64, t.classes)
	total := 0.0
	for _, is := range t.is {
		for c, is := range is {
			if is {
				base[c]++
			}
		}
	}
	for _, b := range base {
		total += b
	}
	type worth struct {
		hash  uint32
		worth float64
	}
	var all []worth
	for h, u := range t.uses() {
		if u.groups >= 2 {
			all = append(all, worth{h, u.gain(base, total)})
		}
	}
	slices.SortFunc(all, func(a, b worth) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.hash, b.hash))
	})
	out := make([]uint32, len(all))
	for i, w := range all {
		out[i] = w.hash
	}
	return out
}

// A use is what samples have a feature.
type use struct {
	groups int       // the number of their groups
	last   int       // the group of the last one
	by     []float64 // the sum of the feature's values by class
}

// uses returns the use of each feature by its hash.
func (t task) uses() map[uint32]*use {
	uses := map[uint32]*use{}
	for i, all := range t.features {
		for _, f := range all {
			u := uses[f.Hash]
			if u == nil {
				u = &use{last: -1, by: make([]float64, t.classes)}
				uses[f.Hash] = u
			}
			if u.last != t.group[i] {
				u.groups++
				u.last = t.group[i]
			}
			for c, is := range t.is[i] {
				if is {
					u.by[c] += float64(f.Value)
				}
			}
		}
	}
	return uses
}

// gain returns how far the classes of the feature's samples are from those of all samples: base by class, and
// total.
func (u *use) gain(base []float64, total float64) float64 {
	sum, gain := 0.0, 0.0
	for _, b := range u.by {
		sum += b
	}
	for c, b := range u.by {
		if b > 0 {
			gain += b * math.Log(b/sum/(base[c]/total))
		}
	}
	return gain
}

func places(slots []uint32) map[uint32]int {
	out := map[uint32]int{}
	for at, h := range slots {
		if h != 0 {
			out[h] = at
		}
	}
	return out
}

// learn fits a logistic regression for each class by stochastic descent with steps that shrink for each
// weight (AdaGrad), on the samples of the groups for which use returns true.
func (t task) learn(
	slots map[uint32]int, size int, use func(group int) bool,
) (weights [][]float32, bias []float32) {
	n := t.classes
	w, g := make([]float32, size*n), make([]float32, size*n)
	bias = make([]float32, n)
	biasG := make([]float32, n)
	samples, order := t.known(slots, use)
	chance := rand.New(rand.NewPCG(5, 6))
	gradient := make([]float32, n)
	for range rounds {
		chance.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		for _, i := range order {
			copy(gradient, bias)
			for _, f := range samples[i] {
				for c, v := range w[f.at : f.at+n] {
					gradient[c] += f.value * v
				}
			}
			for c := range gradient {
				y := float32(0)
				if t.is[i][c] {
					y = 1
				}
				gradient[c] = (float32(1/(1+math.Exp(-float64(gradient[c])))) - y) * t.weight[i]
				biasG[c] += gradient[c] * gradient[c]
				bias[c] -= step * gradient[c] / float32(math.Sqrt(float64(biasG[c])+1e-6))
			}
			for _, f := range samples[i] {
				for c := range n {
					d := gradient[c]*f.value + decay*w[f.at+c]
					if d > -1e-5 && d < 1e-5 {
						continue
					}
					g[f.at+c] += d * d
					w[f.at+c] -= step * d / float32(math.Sqrt(float64(g[f.at+c])+1e-6))
				}
			}
		}
	}
	weights = make([][]float32, size)
	for at := range weights {
		weights[at] = w[at*n : at*n+n]
	}
	return weights, bias
}

// A known feature is one that has a slot.
type known struct {
	at    int // of its weights
	value float32
}

// known returns the known features of the samples of the groups for which use returns true, by sample, and
// the numbers of these samples.
func (t task) known(slots map[uint32]int, use func(group int) bool) (samples [][]known, order []int) {
	samples = make([][]known, len(t.features))
	for i, all := range t.features {
		if !use(t.group[i]) {
			continue
		}
		order = append(order, i)
		for _, f := range all {
			if at, ok := slots[f.Hash]; ok {
				samples[i] = append(samples[i], known{at * t.classes, f.Value})
			}
		}
	}
	return samples, order
}

func scores(
	features []classify.Feature, slots map[uint32]int, weights [][]float32, bias []float32,
) []float32 {
	out := slices.Clone(bias)
	for _, f := range features {
		if at, ok := slots[f.Hash]; ok {
			for c, v := range weights[at] {
				out[c] += f.Value * v
			}
		}
	}
	return out
}

// calibrate fits, for each class, the slope and offset that make scores of samples that were not learnt from
// probabilities (Platt's scaling), by Newton's method.
func (t task) calibrate(unseen [][]float32) (slope, offset []float32) {
	slope, offset = make([]float32, t.classes), make([]float32, t.classes)
	for c := range slope {
		a, b := 1.0, 0.0
		for range 30 {
			var ga, gb, haa, hab, hbb float64
			for i, s := range unseen {
				x, y := float64(s[c]), 0.0
				if t.is[i][c] {
					y = 1
				}
				p := 1 / (1 + math.Exp(-(a*x + b)))
				v := p * (1 - p)
				ga, gb = ga+(p-y)*x, gb+(p-y)
				haa, hab, hbb = haa+v*x*x, hab+v*x, hbb+v
			}
			haa, hbb = haa+1e-3, hbb+1e-3
			det := haa*hbb - hab*hab
			if det <= 0 {
				break
			}
			// Bounded steps and figures: where few samples are of a class, Newton's steps can run away.
			a -= min(max((hbb*ga-hab*gb)/det, -0.3), 0.3)
			b -= min(max((haa*gb-hab*ga)/det, -0.3), 0.3)
			a, b = min(max(a, 0.2), 2.5), min(max(b, -4), 4)
		}
		slope[c], offset[c] = float32(a), float32(b)
	}
	return slope, offset
}
