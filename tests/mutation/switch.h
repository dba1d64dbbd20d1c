/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * switch.h - changes of an expression that are switched on by their number
 *
 * Floor: tests.
 *
 * How it works: switches.py writes each place of the kernel that may be changed
 * as one of these.  $MUTANT is the one that is changed; without it nothing is.
 * In the file that $MUTANT_MARKS names, if any, there is a byte for each; it is
 * set where the change would have made a difference to the value: a test in
 * which it made none cannot notice it.
 */
#ifndef TESTS_MUTATION_SWITCH_H
#define TESTS_MUTATION_SWITCH_H

#ifdef MUTATION_CHECKED
/* a sanitizer looks at what is computed: only the one that is wanted */
#define MUTATION_PICK(id, old, new) (mutation_is(id) ? (new) : (old))
#else
#define MUTATION_PICK(id, old, new)                                            \
	({                                                                     \
		__auto_type old_ = (old);                                      \
		__auto_type new_ = (new);                                      \
		if (mutation_marks && old_ != new_)                            \
			mutation_marks[id] = 1;                                \
		mutation_is(id) ? new_ : old_;                                 \
	})
#endif

/* A number is another one wherever it is used. */
#define MUTATION_NUMBER(id, old, new)                                          \
	(mutation_mark(id), mutation_is(id) ? (new) : (old))
/* What is added is taken away; widened first, so that its sign can turn. */
#define MUTATION_NEGATED(id, value)                                            \
	({                                                                     \
		__auto_type v_ = (value);                                      \
		mutation_mark(id);                                             \
		mutation_is(id) ? -(v_ + 0LL) : v_;                            \
	})

extern int mutation_number;
extern unsigned char *mutation_marks;

/**
 * mutation_is() - Whether a change is switched on
 * @id:		Its number
 */
static inline int mutation_is(int id)
{
	return mutation_number == id;
}

/**
 * mutation_mark() - A change would make a difference here
 * @id:		Its number
 */
static inline void mutation_mark(int id)
{
	if (mutation_marks)
		mutation_marks[id] = 1;
}

/**
 * mutation_both() - Whether the second side of && or || is looked at
 * @id:		Number of the change of one into the other
 * @first:	Whether it would be without the change
 */
static inline int mutation_both(int id, int first)
{
	return first ^ mutation_is(id);
}

/**
 * mutation_and() - A value of &&, marked where that of || may be another
 * @id:		Number of the change
 * @value:	Value
 *
 * Return: @value.
 */
static inline int mutation_and(int id, int value)
{
	if (!value)
		mutation_mark(id);
	return value;
}

/**
 * mutation_or() - A value of ||, marked where that of && may be another
 * @id:		Number of the change
 * @value:	Value
 *
 * Return: @value.
 */
static inline int mutation_or(int id, int value)
{
	if (value)
		mutation_mark(id);
	return value;
}

#endif /* TESTS_MUTATION_SWITCH_H */
