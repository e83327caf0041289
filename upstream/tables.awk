# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# A table of upstream/results.tsv, as upstream/series asks for it: vectors is the first column, and
# words are "BEFORE AFTER CALL...", for a table of the patch AFTER, or "CALL", for one of all patches.

BEGIN {
	n = split(words, word, " ")
	stages = split("tests 16-blocks c-alone hook avx2 poly1305 avx512", stage, " ")
	lens = split("0 16 64 256 576 1420 4096 16384", len, " ")
}

$1 == vectors {
	least[$2, $3, $4] = $5
	median[$2, $3, $4] = $6
}

function value(after, bytes, call, of) {
	if (!((after, bytes, call) in least))
		exit failed = 1
	return of == "median" ? median[after, bytes, call] : least[after, bytes, call]
}

END {
	if (n == 1) {
		for (k = 1; k <= 2; k++) {
			of = k == 1 ? "minimum" : "median"
			printf "  %-10s", of
			for (i = 1; i <= lens; i++)
				printf "%7s", len[i]
			print ""
			for (s = 1; s <= stages; s++) {
				if (vectors == "avx2" && stage[s] ~ /^(16-blocks|avx512)$/)
					continue
				printf "  %-10s", stage[s] == "tests" ? "before" : stage[s]
				for (i = 1; i <= lens; i++)
					printf "%7s", value(stage[s], len[i], word[1], of)
				print ""
			}
			if (k == 1)
				print ""
		}
		exit failed
	}
	printf "  %-6s", "bytes"
	for (c = 3; c <= n; c++)
		printf "  %16s ", word[c]
	printf "\n  %-6s", ""
	for (c = 3; c <= n; c++)
		printf "  %7s  %7s ", "before", "after"
	print ""
	for (i = 1; i <= lens; i++) {
		printf "  %-6s", len[i]
		for (c = 3; c <= n; c++)
			printf "  %7s  %7s ", value(word[1], len[i], word[c]), value(word[2], len[i], word[c])
		print ""
	}
	exit failed
}
