# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154
#
# The test of what tools/setup and tools/demo say when they cannot go on. Uses
# point() of the style suite. Nothing here reaches the network or changes the system.

# says STATUS TEXT COMMAND...: does COMMAND end with STATUS, and TEXT in its last line?
says() {
	local want=$1 text=$2 status=0
	shift 2
	out=$("$@" 2>&1) || status=$?
	[ $status = "$want" ] && [[ ${out##*$'\n'} == *"$text"* ]]
}

setup_samples() {
	local dir=$top/build/check/setup copy out setup user=()

	rm -rf "$dir"
	mkdir -p "$dir"/{bin,cache,lists/partial}
	printf 'bash # essential\n' >"$dir/bash"
	printf 'no-such-package\n' >"$dir/unknown"
	# An apt that knows no archive, and commands without an apt
	cat >"$dir/apt.conf" <<-END
		Dir::Etc::SourceList "/dev/null";
		Dir::Etc::SourceParts "/dev/null";
		Dir::State::Lists "$dir/lists";
		Dir::Cache "$dir/cache";
		APT::Update::Post-Invoke { "touch $dir/hook"; };
	END
	find /bin/ /usr/bin/ -maxdepth 1 ! -name 'apt*' -exec ln -sf -t "$dir/bin" {} +

	# A copy, for root's checkout may be closed to others.
	copy=$(mktemp -d)
	chmod 755 "$copy"
	mkdir "$copy/tools"
	cp "$top"/tools/{setup,demo,lib.sh} "$dir"/{bash,unknown} "$copy/tools"
	cp "$copy/tools/unknown" "$copy/tools/packages"
	setup=$copy/tools/setup
	[ "$(id -u)" != 0 ] || user=(setpriv --reuid=65534 --regid=65534 --clear-groups)

	says 0 'setup: all is installed' \
		env PATH="$dir/bin" "$setup" "$copy/tools/bash"
	point $? "setup: what is installed is left alone" "$out"

	says 1 'install what is called in Debian: no-such-package' \
		env PATH="$dir/bin" "$setup" "$copy/tools/unknown"
	point $? "setup: a system without apt is told what to install" "$out"

	rm "$dir"/bin/dpkg*
	# shellcheck disable=SC2016
	says 0 'in Debian: no-such-package' env PATH="$dir/bin" \
		bash -c '. "$1" && need_packages "$2"' - "$copy/tools/"{lib.sh,unknown}
	point $? "without dpkg other commands say what they need, and go on" "$out"

	says 1 'no such list of packages' "$setup" "$dir/none"
	point $? "setup: a list that is not there is named" "$out"

	says 1 "as root, type './tools/setup tools/packages'; it installs" \
		"${user[@]}" "$copy/tools/demo"
	point $? "demo: without root it says what to type" "$out"

	# shellcheck disable=SC2016
	says 0 '' env APT_CONFIG="$dir/apt.conf" \
		bash -c '. "$1" && apt_refresh' - "$copy/tools/lib.sh" && [ ! -e "$dir/hook" ]
	point $? "lists of our own are fetched without the system's hooks" "$out"

	if [ "$(id -u)" = 0 ]; then
		says 1 'failed (E: Unable to locate package no-such-package); see build/setup/packages.log' \
			env APT_CONFIG="$dir/apt.conf" "$setup" "$copy/tools/unknown"
		point $? "setup: when apt fails: its error and the log" "$out"
	else
		skip "setup: when apt fails: its error and the log" "needs root"
	fi
	rm -rf "$copy"
}
