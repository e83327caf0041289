# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154
#
# The test of packaging/version in a repository of its own: newer source has a newer version, and what
# make dist makes of it has the same.

# newer: the version is newer than $older, and becomes that.
newer() {
	local version
	version=$(packaging/version) && echo "$version" &&
		dpkg --compare-versions "$version" gt "$older" && older=$version
}

# on DATE COMMAND...: git, with that date
on() {
	GIT_COMMITTER_DATE="$1 12:00 +0000" git -c user.name=x -c user.email=x@x.invalid \
		-c commit.gpgsign=no "${@:2}"
}

version_samples() (
	local older=1.0 repository=$results/version
	mkdir -p "$repository"/{packaging,debian}
	cp packaging/version "$repository/packaging/"
	cp debian/{changelog,control} "$repository/debian/"
	cp Kbuild Makefile "$repository/"
	cd "$repository" && export GIT_DIR=$repository/.git && git init -q && git add . || return
	on 2025-12-30 commit -qm a && newer && [ "$older" = '1.1~git20251230.1' ] || return
	echo >>Kbuild && newer || return
	on 2025-12-30 commit -qam b && newer && on 2025-12-29 commit -qm earlier --allow-empty && newer &&
		on 2025-12-31 commit -qm c --allow-empty && newer || return
	make -s dist && tar -xf "build/dist/poly1305-$older.tar.gz" || return
	(
		unset GIT_DIR
		cd "poly1305-$older" && [ "$(packaging/version)" = "$older" ] && make -s dist &&
			grep -x "version := $older" Kbuild &&
			[ "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)" = "$older" ] &&
			cmp build/dist/*.gz ../build/dist/*.gz
	) || return
	git tag v1.1 && newer && [ "$older" = 1.1 ] &&
		on 2025-12-31 commit -qm d --allow-empty && newer && [[ $older = 1.2~git20251231.5 ]] || return
	rm -rf .git
	touch -d 2025-12-31T12:00Z Kbuild
	older=1.0
	newer && [ "$older" = '1.1~git20251231.0' ]
)
