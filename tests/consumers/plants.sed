# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# For tests/machines/build -s: build the modules with faults that the suite must
# find. The module parameter "plant" selects one and may be written at any time. The
# self-tests at load see none of them.
#
# poly1305.ko
#	blind		every tag of a shash is the same
#	tag		one tag in 64 of a shash is wrong
# poly1305_chapoly.ko
#	accept		wrong tags are right
#	tag		one tag in 64 is wrong
#	swap		two words of a long text change places: no sum of words sees it
#	key		a longer key is taken
#	size		a shorter tag is taken
#	assoc		associated data may be shorter than an IV
#	taken1, taken2	the name of the last driver, or of both, is taken

# poly1305_tiers.c, poly1305_chapoly.c
/^static bool always_usable\|^static unsigned int salt_size/i\
static char plant[8];\
module_param_string(plant, plant, sizeof(plant), 0644);\
#define planted(what) (!strncmp(plant, what, strlen(what)))\

/^#include <linux\/module\.h>/a\
#include <linux/moduleparam.h>

# poly1305_tiers.c
/^static __always_inline int desc_final(/,/^}/s/^	memzero_explicit.*/	if (planted("blind"))\
		memset(tag, 1, POLY1305_MAC_TAG_SIZE);\
	if (planted("tag") \&\& tag[0] % 64 == 7)\
		tag[5] ^= 1;\
&/

# poly1305_chapoly.c
s/^	if (len != CHACHA_KEY_SIZE + salt_size(tfm))$/	if (len < CHACHA_KEY_SIZE + salt_size(tfm) ||\
	    (!planted("key") \&\& len != CHACHA_KEY_SIZE + salt_size(tfm)))/
s/^	return size == TAG_SIZE ? 0 : -EINVAL;/	return size == TAG_SIZE || planted("size") ? 0 : -EINVAL;/
s/^		if (assoclen < ESP_IV_SIZE)$/		if (assoclen < ESP_IV_SIZE \&\& !planted("assoc"))/
s/crypto_memneq([sl]\.tag/!planted("accept") \&\& &/
s/^\(	*[sl]\.tag\[0\]\) ^= fault;$/\1 ^= planted("tag") \&\& req->iv[7] % 64 == 7;/
/^static int __init chapoly_mod_init(/,/^}/s/^	for (i = 0;.*/	for (i = 0; i < ARRAY_SIZE(chapoly_algs); i++)\
		if (planted("taken2") || (planted("taken1") \&\& i))\
			strscpy(chapoly_algs[i].base.cra_driver_name,\
				"poly1305", CRYPTO_MAX_ALG_NAME);\
&/
/^static int chapoly_decrypt(/,/^}/s/^	return chapoly_crypt(req, false);/	u8 x[4];\
	int err = chapoly_crypt(req, false);\
\
	if (!err \&\& planted("swap") \&\& req->cryptlen > 200) {\
		scatterwalk_map_and_copy(x, req->dst, req->assoclen + 100, 4, 0);\
		swap(x[0], x[2]);\
		swap(x[1], x[3]);\
		scatterwalk_map_and_copy(x, req->dst, req->assoclen + 100, 4, 1);\
	}\
	return err;/
