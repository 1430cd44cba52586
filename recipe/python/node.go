package python

// The nodes of a program. An expression is evaluated by machine.eval, a
// statement by machine.run.
type (
	expr interface{}

	constant  struct{ value any }
	variable  struct{ name string }
	attribute struct {
		of   expr
		name string
	}
	index struct{ of, at expr }
	slice struct{ of, from, to expr }
	call  struct {
		of    expr
		args  []expr
		named map[string]expr
	}
	unary struct {
		op string
		x  expr
	}
	binary struct {
		op   string
		x, y expr
	}
	ternary struct{ test, yes, no expr }
	display struct { // of a list, tuple or set
		items []expr
		tuple bool
	}
	mapping   struct{ keys, values []expr }
	formatted struct{ parts []expr }
	spec      struct {
		x      expr
		format string
		repr   bool
	}
	comprehension struct {
		item     expr
		targets  []string
		in, cond expr
	}

	assign struct {
		targets []expr
		value   expr
		op      string
	}
	branch struct {
		test    expr
		yes, no []any
	}
	loop struct {
		targets []string
		in      expr
		body    []any
	}
	function struct {
		name     string
		params   []string
		defaults map[string]expr
		body     []any
	}
	giveBack struct{ x expr }
	with     struct {
		x    expr
		name string
		body []any
	}
	attempt struct {
		body, handler, after []any
		bound                string
	}
	bare struct{ x expr }
	jump struct{ word string } // break, continue, pass
)
