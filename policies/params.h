/*
 * params.h - turns what a user writes into the config struct of a policy.
 *
 * A policy lists its parameters in a table (lbp_ops.params) and never parses.
 * These functions read and write the table's fields, so that the simulator
 * and a proxy accept the same text, refuse the same mistakes and complain in
 * the same words:
 *
 *     real      1.25          share   0.3 or 30 %
 *     count     100, 50k, 2M, 1.5G    (k = 1000)
 *     duration  250 ms, 1h30m         (ns us ms s m min h d)
 *     switch    true yes on 1, false no off 0
 *     choice    one of the names of the table
 *     text      as it stands
 *
 * A number without preset may be `off`: NaN for reals and shares, else 0.
 */
#ifndef POLICIES_PARAMS_H
#define POLICIES_PARAMS_H

#include "policies/lbp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills config, of ops->config_size bytes, with the presets of all
   parameters. Presets are literals, so texts in it stay valid. */
void lbp_params_preset(const struct lbp_ops *ops, void *config);

/* The parameter of that name, of length bytes, or NULL. */
const struct lbp_param *lbp_params_find(const struct lbp_ops *ops,
                                        const char *name, size_t length);

/*
 * Sets one field of config from value, of length bytes. On false config is as
 * it was and reterr, of reterr_size bytes, says what was expected and what
 * was found; it may be NULL. Spaces around the value do not matter.
 *
 * A text is not copied: the field points to value, which must then end with a
 * 0 byte and live as long as config.
 */
bool lbp_params_set(const struct lbp_param *param, void *config,
                    const char *value, size_t length, char *reterr,
                    size_t reterr_size);

/*
 * Writes the value in config as a user would, so that lbp_params_set() reads
 * the same again. Yields its length without the final 0; when that is size or
 * more, out has only the beginning. out may be NULL if size is 0.
 */
size_t lbp_params_write(const struct lbp_param *param, const void *config,
                        char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
