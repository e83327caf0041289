# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154
#
# The test of what tools/setup says when it cannot go on. Uses point() of the style
# suite. Nothing here reaches the network or changes the system.

# says STATUS TEXT SETUP...: does SETUP end with STATUS, TEXT in its last line?
says() {
	local want=$1 text=$2 status=0
	shift 2
	out=$("$@" 2>&1) || status=$?
	[ $status = "$want" ] && [[ ${out##*$'\n'} == *"$text"* ]]
}

setup_samples() {
	local dir=$top/build/check/setup out setup=$top/tools/setup

	rm -rf "$dir"
	mkdir -p "$dir/cache" "$dir/lists/partial"
	: >"$dir/status"
	printf 'bash # essential\n' >"$dir/bash"
	printf 'no-such-package\n' >"$dir/unknown"
	printf 'ID=plan9\n' >"$dir/plan9"
	printf 'ID=mint\nID_LIKE="ubuntu debian"\n' >"$dir/mint"
	cat >"$dir/apt.conf" <<-END
		Dir::Etc::SourceList "/dev/null";
		Dir::Etc::SourceParts "/dev/null";
		Dir::State::Lists "$dir/lists";
		Dir::State::status "$dir/status";
		Dir::Cache "$dir/cache";
	END

	says 0 'Packages: all 1 are installed' "$setup" "$dir/bash"
	point $? "setup: what is installed is left alone" "$out"

	says 0 'all 1 are' env OS_RELEASE="$dir/mint" "$setup" "$dir/bash"
	point $? "setup: a distribution like Debian will do" "$out"

	says 1 "'plan9' is neither Debian nor Ubuntu; install" \
		env OS_RELEASE="$dir/plan9" "$setup" "$dir/bash"
	point $? "setup: another distribution is told what to install" "$out"

	says 1 'no such list' "$setup" "$dir/none"
	point $? "setup: a list that is not there is named" "$out"

	if [ "$(id -u)" != 0 ]; then
		says 1 "run 'sudo tools/setup'" "$setup" "$dir/unknown"
		point $? "setup: not root: says so, with the command" "$out"
		skip "setup: apt-get fails: one line and the log" "needs root"
		return
	fi
	# A copy, for nobody may be shut out of root's checkout.
	rm -rf "/tmp/setup.$$"
	mkdir -p "/tmp/setup.$$/tools"
	cp "$setup" "$top/tools/lib.sh" "$dir/unknown" "/tmp/setup.$$/tools"
	says 1 "run 'sudo tools/setup'" setpriv --reuid=65534 --regid=65534 \
		--clear-groups "/tmp/setup.$$/tools/setup" "/tmp/setup.$$/tools/unknown"
	point $? "setup: not root: says so, with the command" "$out"
	rm -rf "/tmp/setup.$$"

	says 1 'see build/setup/apt-install.log' \
		env APT_CONFIG="$dir/apt.conf" "$setup" "$dir/unknown"
	point $? "setup: apt-get fails: one line and the log" "$out"
}
