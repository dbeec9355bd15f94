package faq

import "math"

// A symmetric is a symmetric positive definite matrix, of which the lower triangle is kept, or its Cholesky
// factor.
type symmetric struct{ rows [][]float64 }

func newSymmetric(n int) *symmetric {
	m := &symmetric{make([][]float64, n)}
	for i := range m.rows {
		m.rows[i] = make([]float64, i+1)
	}
	return m
}

func (m *symmetric) at(i, j int) float64     { return m.rows[i][j] }
func (m *symmetric) set(i, j int, x float64) { m.rows[i][j] = x }

// factor replaces the matrix by the lower triangle L of which it is the product with its transpose.
func (m *symmetric) factor() {
	for i, row := range m.rows {
		for j := range i {
			row[j] = (row[j] - dot(row[:j], m.rows[j][:j])) / m.rows[j][j]
		}
		row[i] = math.Sqrt(row[i] - dot(row[:i], row[:i]))
	}
}

// solve replaces b by the x for which the matrix, which was factored, times x is b.
func (m *symmetric) solve(b []float64) {
	for i, row := range m.rows {
		b[i] = (b[i] - dot(row[:i], b[:i])) / row[i]
	}
	for i := len(b) - 1; i >= 0; i-- {
		row := m.rows[i]
		b[i] /= row[i]
		for j, x := range row[:i] {
			b[j] -= x * b[i]
		}
	}
}

// dot is the inner product of two slices of one length. Four sums at a time keep the processor's units busy.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}
