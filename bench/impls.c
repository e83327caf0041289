// SPDX-License-Identifier: GPL-2.0 OR MIT
/* The implementations that a run measures: ours, and those of the packages with peers. */

#define _GNU_SOURCE
#include <err.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "impls.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* The packages with peers; peer is NULL if the package was missing at build time. */
struct package {
	const char *name;
	const char *package;
	const struct bench_peer *peer;
};

static const struct package packages[] = {
	{ "OpenSSL", "libssl-dev", &peer_openssl },
	{ "libgcrypt", "libgcrypt20-dev", &peer_gcrypt },
	{ "nettle", "nettle-dev", &peer_nettle },
	{ "ipsec-mb", "libipsec-mb-dev", &peer_ipsec_mb },
	{ "Linux", "linux-source", &peer_linux },
	{ "Go", "golang-golang-x-crypto-dev", &peer_go },
	{ "Rust crate", "cargo", &peer_rust },
};

static const char *our_tier(const char *name)
{
	name = strchr(name, '-') + 1;
	if (!strcmp(name, "x86_64"))
		return "scalar";
	return name;
}

struct bench_impl impls[MOST_IMPLS];
size_t nimpls;
static size_t nours;

static void add_impl(const struct bench_impl *impl)
{
	if (nimpls == MOST_IMPLS)
		errx(1, "more than %d implementations", MOST_IMPLS);
	impls[nimpls++] = *impl;
}

static void find_ours(const char *pattern, struct bench_impl our, const char *prefix,
		      const char *const *name)
{
	char *whole;

	for (; *name; name++) {
		if (asprintf(&whole, "%s%s", prefix, *name) < 0)
			err(1, NULL);
		our.name = whole;
		our.tier = our_tier(*name);
		our.arg = strlen(prefix);
		if (!fnmatch(pattern, our.name, FNM_EXTMATCH))
			add_impl(&our);
	}
}

bool select_impl(const struct bench_impl *impl)
{
	return !impl->select || impl->select(impl);
}

void find_impls(const char *pattern)
{
	const struct bench_impl *impl;
	size_t i;

	find_ours(pattern, our_impl, "", poly1305_user_impls());
	nours = nimpls;
	if (before_poly1305_user_impls)
		find_ours(pattern, before_impl, "before-", before_poly1305_user_impls());
	for (i = 0; i < ARRAY_SIZE(packages); i++) {
		if (!packages[i].peer)
			continue;
		for (impl = packages[i].peer->impls; impl->name; impl++)
			if (!fnmatch(pattern, impl->name, FNM_EXTMATCH) && select_impl(impl))
				add_impl(impl);
	}
}

void print_impls(void)
{
	size_t i;

	printf(" \"impls\": [\n");
	for (i = 0; i < nimpls; i++) {
		printf("  {\"name\": \"%s\", \"tier\": \"%s\", ", impls[i].name, impls[i].tier);
		printf("\"ours\": %s, \"inner\": %s}%s\n", i < nours ? "true" : "false",
		       impls[i].inner ? "true" : "false", i + 1 < nimpls ? "," : "");
	}
	printf(" ],\n");
}

void print_packages(void)
{
	size_t i;

	printf(" \"peers\": [\n");
	for (i = 0; i < ARRAY_SIZE(packages); i++)
		printf("  {\"name\": \"%s\", \"package\": \"%s\", \"version\": \"%s\"}%s\n",
		       packages[i].name, packages[i].package,
		       packages[i].peer ? packages[i].peer->version : "",
		       i + 1 < ARRAY_SIZE(packages) ? "," : "");
	printf(" ],\n");
}
