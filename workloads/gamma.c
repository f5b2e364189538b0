#include "workloads/gamma.h"

#include "workloads/mathx.h"
#include "workloads/ziggurat.h"

#include <math.h>

/*
 * Marsaglia and Tsang, "A Simple Method for Generating Gamma Variables", ACM
 * TOMS 26(3), 2000, for shape >= 1.
 */
static double draw_of_large_shape(struct rng *rng, double shape)
{
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);

    for (;;) {
        double x = ziggurat_draw_normal(rng);
        double root = 1 + c * x, v = root * root * root;

        /* -log(U) is exponential. */
        if (root > 0 && -ziggurat_draw_exponential(rng) <
                            0.5 * x * x + d * (1 - v + mathx_log(v)))
            return d * v;
    }
}

/* Below 1, by the same paper's section 6: gamma(shape + 1) U^(1/shape). */
double gamma_draw(struct rng *rng, double shape)
{
    if (shape >= 1)
        return draw_of_large_shape(rng, shape);

    double large = draw_of_large_shape(rng, shape + 1);
    return large * mathx_exp(-ziggurat_draw_exponential(rng) / shape);
}

/* Stirling's series, its first term left out below 4e-16 of the whole from 20
   on (Abramowitz and Stegun 6.1.41). */
static double log_gamma_of_large(double x)
{
    const double half_log_2_pi = 0.91893853320467274;
    double inverse = 1 / x, square = inverse * inverse;
    double series =
        inverse *
        (1.0 / 12 -
         square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680))));

    return (x - 0.5) * mathx_log(x) - x + half_log_2_pi + series;
}

/* Gamma(x) = Gamma(x + n) / (x (x + 1) ... (x + n - 1)). */
double gamma_function(double x)
{
    double divisor = 1;

    while (x < 20) {
        divisor *= x;
        x += 1;
    }
    return mathx_exp(log_gamma_of_large(x)) / divisor;
}
