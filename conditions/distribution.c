/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * distribution.c - quantiles of the laws that delays are drawn from
 *
 * Floor: conditions.
 *
 * How it works
 *
 * A law of mean m and standard deviation s is moved and scaled to 0 and 1, so
 * that base and jitter of a condition are its mean and standard deviation:
 *
 *	uniform		2p - 1
 *	normal		Wichura's rational functions (AS 241, 1988)
 *	exponential	-ln q - 1
 *	pareto		(q^(-1/a) - m) / s, m = a/(a-1), s = m / sqrt(a(a-2))
 *	lognormal	(e^(cz) - m) / s, m = e^(c*c/2), s = m sqrt(e^(c*c) - 1)
 *	weibull		((-ln q)^(1/k) - m) / s, m = G(1 + 1/k),
 *			s*s = G(1 + 2/k) - m*m, G the gamma function
 *	gamma		(x - k) / sqrt(k), x where P(k, x) = p
 *	table		between the neighbours of p n - 1/2, linearly
 *
 * with q = 1 - p, and a, c, k the shape.  P(k, x) is summed as a power series
 * below k + 1 and as a continued fraction above it; it is inverted by Newton's
 * method on the logarithms, where both tails are nearly straight lines, with a
 * bracket that halves where a step would leave it.
 */
#include "conditions/distribution.h"

#define SQRT_HALF 0.70710678118654752440
/* What 0 and 1 count as: the middle of the last step of a draw. */
#define P_MIN 0x1p-54
#define P_MAX (1.0 - 0x1p-53)

/* The 7th degree polynomial of @c at @r. */
static double polynomial(const double c[8], double r)
{
	double sum = c[7];

	for (int i = 6; i >= 0; i--)
		sum = sum * r + c[i];
	return sum;
}

static double clamp(double p)
{
	if (!(p > P_MIN))
		return P_MIN;
	return p < P_MAX ? p : P_MAX;
}

/* AS 241 (PPND16) by the tail: @q the smaller one of p and 1 - p. */
static double normal_tail(double q)
{
	static const double c[8] = {
		1.42343711074968357734e0,  4.63033784615654529590e0,
		5.76949722146069140550e0,  3.64784832476320460504e0,
		1.27045825245236838258e0,  2.41780725177450611770e-1,
		2.27238449892691845833e-2, 7.74545014278341407640e-4
	};
	static const double d[8] = { 1.0,
				     2.05319162663775882187e0,
				     1.67638483018380384940e0,
				     6.89767334985100004550e-1,
				     1.48103976427480074590e-1,
				     1.51986665636164571966e-2,
				     5.47593808499534494600e-4,
				     1.05075007164441684324e-9 };
	static const double e[8] = {
		6.65790464350110377720e0,  5.46378491116411436990e0,
		1.78482653991729133580e0,  2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3,
		2.71155556874348757815e-5, 2.01033439929228813265e-7
	};
	static const double f[8] = { 1.0,
				     5.99832206555887937690e-1,
				     1.36929880922735805310e-1,
				     1.48753612908506148525e-2,
				     7.86869131145613259100e-4,
				     1.84631831751005468180e-5,
				     1.42151175831644588870e-7,
				     2.04426310338993978564e-15 };
	double r = sqrt(-log(q));

	if (r <= 5.0)
		return polynomial(c, r - 1.6) / polynomial(d, r - 1.6);
	return polynomial(e, r - 5.0) / polynomial(f, r - 5.0);
}

double distribution_normal(double p)
{
	static const double a[8] = {
		3.3871328727963666080e0,  1.3314166789178437745e+2,
		1.9715909503065514427e+3, 1.3731693765509461125e+4,
		4.5921953931549871457e+4, 6.7265770927008700853e+4,
		3.3430575583588128105e+4, 2.5090809287301226727e+3
	};
	static const double b[8] = { 1.0,
				     4.2313330701600911252e+1,
				     6.8718700749205790830e+2,
				     5.3941960214247511077e+3,
				     2.1213794301586595867e+4,
				     3.9307895800092710610e+4,
				     2.8729085735721942674e+4,
				     5.2264952788528545610e+3 };
	double middle = p - 0.5, r;

	if (fabs(middle) <= 0.425) {
		r = 0.180625 - middle * middle;
		return middle * polynomial(a, r) / polynomial(b, r);
	}
	p = clamp(p);
	return middle < 0 ? -normal_tail(p) : normal_tail(1.0 - p);
}

/* ln of x^k e^-x / G(k + 1). */
static double log_front(double k, double x)
{
	int sign;

	return k * log(x) - x - lgamma_r(k + 1.0, &sign);
}

/* ln P(k, x) for x below k + 1, by its power series. */
static double log_lower(double k, double x)
{
	double term = 1.0, sum = 1.0;

	for (double n = 1.0; term > sum * 1e-17 && n < 10000.0; n++) {
		term *= x / (k + n);
		sum += term;
	}
	return log_front(k, x) + log(sum);
}

/* ln (1 - P(k, x)) for x above k + 1, by its continued fraction (Lentz). */
static double log_upper(double k, double x)
{
	double b = x + 1.0 - k, c = 1e300, d = 1.0 / b, h = d, step = 0.0;

	for (double n = 1.0; fabs(step - 1.0) > 1e-16 && n < 10000.0; n++) {
		double a = n * (k - n);

		b += 2.0;
		d = 1.0 / (a * d + b);
		c = b + a / c;
		step = c * d;
		h *= step;
	}
	return log_front(k, x) + log(k * h);
}

/* ln of the tail that @upper names. */
static double log_tail(double k, double x, bool upper)
{
	bool above = x > k + 1.0;
	double tail = above ? log_upper(k, x) : log_lower(k, x);

	/* past the middle it may round up to all of it */
	return above == upper ? tail : log1p(-fmin(exp(tail), P_MAX));
}

/* A first guess at ln x. */
static double gamma_guess(double k, double p, double q)
{
	int sign;
	/* Wilson and Hilferty, 1931: the cube root is nearly normal */
	double root =
		1.0 - 1.0 / (9.0 * k) +
		(p < q ? distribution_normal(p) : -distribution_normal(q)) /
			(3.0 * sqrt(k));

	if (root > 0.3)
		return log(k) + 3.0 * log(root);
	return (log(p) + lgamma_r(k + 1.0, &sign)) / k;
}

double distribution_gamma(double shape, double p, double q)
{
	bool upper = q < p;
	double lo = -700.0, hi = log(shape + 60.0 * sqrt(shape) + 60.0);
	double want = log(clamp(upper ? q : p));
	double y = gamma_guess(shape, clamp(p), clamp(q));

	for (int i = 0; i < 100 && hi - lo > 1e-15; i++) {
		double tail, miss, slope, next;

		if (!(y > lo && y < hi))
			y = (lo + hi) / 2.0;
		tail = log_tail(shape, exp(y), upper);
		miss = upper ? want - tail : tail - want;
		if (miss > 0)
			hi = y;
		else
			lo = y;
		/* d ln P / d ln x = x^k e^-x / G(k) / P */
		slope = shape * exp(log_front(shape, exp(y)) - tail);
		next = y - miss / slope;
		if (fabs(next - y) < 1e-15 * fmax(1.0, fabs(y)))
			break;
		y = next;
	}
	return y > -690.0 ? exp(y) : 0.0;
}

static double own_shape(enum distribution_kind kind)
{
	switch (kind) {
	case DISTRIBUTION_PARETO:
		return 3.0;
	case DISTRIBUTION_LOGNORMAL:
		return 0.5;
	case DISTRIBUTION_WEIBULL:
		return 1.5;
	case DISTRIBUTION_GAMMA:
		return 2.0;
	default:
		return 0.0;
	}
}

static double pareto(double a, double q)
{
	double mean = a / (a - 1.0);

	return (pow(q, -1.0 / a) - mean) / (mean / sqrt(a * (a - 2.0)));
}

static double lognormal(double c, double z)
{
	double mean = exp(c * c / 2.0);

	return (exp(c * z) - mean) / (mean * sqrt(expm1(c * c)));
}

static double weibull(double k, double q)
{
	double mean = tgamma(1.0 + 1.0 / k);
	double sd = sqrt(tgamma(1.0 + 2.0 / k) - mean * mean);

	return (pow(-log(q), 1.0 / k) - mean) / sd;
}

static double table_at(const struct distribution *law, double p)
{
	double place = p * (double)law->n - 0.5;
	size_t i;

	if (!law->n)
		return 0.0;
	if (!(place > 0.0))
		return law->table[0];
	i = (size_t)place;
	if (i + 1 >= law->n)
		return law->table[law->n - 1];
	return law->table[i] +
	       (law->table[i + 1] - law->table[i]) * (place - (double)i);
}

/* The laws that go by the two tails; the normal ones are handled before. */
static double by_tails(const struct distribution *law, double shape, double p,
		       double q)
{
	switch (law->kind) {
	case DISTRIBUTION_EXPONENTIAL:
		return -log(clamp(q)) - 1.0;
	case DISTRIBUTION_PARETO:
		return pareto(shape, clamp(q));
	case DISTRIBUTION_WEIBULL:
		return weibull(shape, clamp(q));
	case DISTRIBUTION_GAMMA:
		return (distribution_gamma(shape, p, q) - shape) / sqrt(shape);
	case DISTRIBUTION_TABLE:
		return table_at(law, p);
	default:
		return p - q;
	}
}

double distribution_quantile(const struct distribution *law, double shape,
			     double u)
{
	if (!(shape > 0.0))
		shape = own_shape(law->kind);
	if (law->kind == DISTRIBUTION_UNIFORM)
		return u * 2.0 - 1.0;
	if (law->kind == DISTRIBUTION_NORMAL)
		return distribution_normal(u);
	if (law->kind == DISTRIBUTION_LOGNORMAL)
		return lognormal(shape, distribution_normal(u));
	return by_tails(law, shape, u, 1.0 - u);
}

double distribution_of_normal(const struct distribution *law, double shape,
			      double z)
{
	if (!(shape > 0.0))
		shape = own_shape(law->kind);
	if (law->kind == DISTRIBUTION_NORMAL)
		return z;
	if (law->kind == DISTRIBUTION_LOGNORMAL)
		return lognormal(shape, z);
	if (law->kind == DISTRIBUTION_UNIFORM)
		return erf(z * SQRT_HALF);
	return by_tails(law, shape, 0.5 * erfc(-z * SQRT_HALF),
			0.5 * erfc(z * SQRT_HALF));
}

const char *distribution_fault(const struct distribution *law, double shape)
{
	if (!(shape > 0.0))
		return NULL;
	switch (law->kind) {
	case DISTRIBUTION_PARETO:
		return shape >= 2.01
			       ? NULL
			       : "shape of pareto is at least 2.01: up to "
				 "2 it has no standard deviation";
	case DISTRIBUTION_LOGNORMAL:
		return shape >= 0.01 && shape <= 3.0
			       ? NULL
			       : "shape of lognormal, the standard deviation "
				 "of "
				 "the logarithm, is 0.01 to 3";
	case DISTRIBUTION_WEIBULL:
		return shape >= 0.2 && shape <= 100.0
			       ? NULL
			       : "shape of weibull is 0.2 to 100";
	case DISTRIBUTION_GAMMA:
		return shape >= 0.01 ? NULL : "shape of gamma is 0.01 to 1000";
	default:
		return "shape belongs to the distributions pareto, lognormal, "
		       "weibull and gamma; leave it out";
	}
}
