# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# How prove tells of the suites: tools/check runs it with --formatter Tally. prove
# judges; this prints failures and skips with their remarks as they come, a table, and the
# line 'N passed, N failed, N skipped'. prove's own formatters print nothing before a suite
# ends when they write to a file, and count neither skipped points nor suites.
#
# Each broken rule of TAP, and an exit status that no point explains, is one more
# failure. So is a plan of no tests without a reason, which prove takes for a skip, and a
# run in which nothing has passed.

package Tally;

use strict;
use warnings;
use base 'TAP::Formatter::Base';

our $failed = 0;

sub prepare {
	my ($self) = @_;
	$| = 1;
	$self->{over} = [];
}

sub open_test {
	my ($self, $path, $parser) = @_;
	my ($name) = $path =~ m{([^/]+)$};

	return bless {
		name => $name, parser => $parser, started => time, all => $self,
		passed => 0, failed => 0, skipped => 0, remarks => [],
	}, 'Tally::Session';
}

sub summary {
	my ($self) = @_;
	my %sum = (passed => 0, failed => 0, skipped => 0);
	my @over = @{ $self->{over} };

	print "\n  passed   failed  skipped  seconds  suite\n";
	for my $suite (@over) {
		printf "%8d %8d %8d %8d  %s\n", @$suite{qw(passed failed skipped seconds name)};
		$sum{$_} += $suite->{$_} for keys %sum;
	}
	my @broken;
	push @broken, 'nothing has passed' if @over && !$sum{passed} && !$sum{failed};
	push @broken, 'no kernel was booted'
		if !$self->{booted} && grep { $_->{name} =~ /^vm-/ } @over;
	print "\nnot ok - $_\n" for @broken;
	$failed = $sum{failed} += @broken;
	printf "\n%d passed, %d failed, %d skipped\n", @sum{qw(passed failed skipped)};
}

# prove has its own opinion of a plan of no tests.
END { $? ||= 1 if $failed }

package Tally::Session;

sub tell {
	my ($self, @lines) = @_;
	print map { "   $self->{name}: $_\n" } @lines;
}

sub broken {
	my ($self, $why) = @_;
	$self->{failed}++;
	$self->tell("not ok - $why");
}

# Remarks stand before or after their point: those before it are kept until it comes.
sub result {
	my ($self, $result) = @_;
	my $line = $result->raw;

	$line =~ s/\r//g;
	if ($result->is_test) {
		my $verdict = !$result->is_actual_ok ? 'failed' :
			$result->has_skip ? 'skipped' : 'passed';

		$self->{$verdict}++;
		$self->{telling} = $verdict eq 'failed';
		$self->tell(@{ $self->{remarks} }) if $self->{telling};
		$self->tell($line) if $verdict ne 'passed';
		$self->{all}{booted} = 1 if $line =~ /^ok .*guest \S+: ran to its end/;
		$self->{remarks} = [];
	} elsif ($result->is_comment || $line =~ /^\s+not ok/) {
		if ($self->{telling}) {
			$self->tell($line);
		} else {
			push @{ $self->{remarks} }, $line;
		}
	} elsif ($result->is_plan && $result->has_skip) {
		$self->tell($line);
	}
}

sub close_test {
	my ($self) = @_;
	my ($all, $parser) = @$self{qw(all parser)};
	my $skips = $parser->skip_all || '';

	# tests/run has not begun it.
	return if $skips =~ /^no time is left/;
	$self->broken($_) for $parser->parse_errors;
	if ($parser->wait && !$self->{failed}) {
		$self->broken('exit status ' . $parser->exit . ', and no point says why' .
			($parser->exit == 124 ? ": no word for $ENV{CHECK_LIMIT} seconds" : ''));
	}
	$self->broken('ran no test') if $skips eq '(no reason given)';
	$self->{skipped}++ if $skips && !$self->{failed};
	$self->{seconds} = time - $self->{started};
	$self->tell(sprintf '%d passed, %d failed, %d skipped in %d s',
		@$self{qw(passed failed skipped seconds)});
	push @{ $all->{over} }, $self;
}

1;
