// Package logline collects what one request has to say in its one line of the log.
package logline

import (
	"context"
	"log/slog"
	"sync"
)

// A Line is the line of one request. Its methods may be called concurrently.
type Line struct {
	mu    sync.Mutex
	attrs []slog.Attr
}

type lineKey struct{}

// With returns a context whose line is the new one.
func With(ctx context.Context) (context.Context, *Line) {
	l := new(Line)
	return context.WithValue(ctx, lineKey{}, l), l
}

// Add appends attributes to the line of ctx. It does nothing if ctx has none.
func Add(ctx context.Context, attrs ...slog.Attr) {
	if l, ok := ctx.Value(lineKey{}).(*Line); ok {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.attrs = append(l.attrs, attrs...)
	}
}

// Attrs returns what was added, in that order.
func (l *Line) Attrs() []slog.Attr {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.attrs
}
