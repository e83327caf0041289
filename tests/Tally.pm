# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# How prove tells of the suites: tools/check runs it with --formatter Tally. prove
# judges; this prints failures and skips with their remarks as they come, how far the
# running suites are, a table, and the line 'N passed, N failed, N skipped'. prove's own
# formatters print nothing before a suite ends when they write to a file, and count
# neither skipped points nor suites.
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
	my $tty = -t STDOUT;

	$| = 1;
	$self->{running} = [];
	$self->{over} = [];
	$self->{started} = time;
	my $interval = $tty ? 1 : 30;
	$SIG{ALRM} = sub {
		$self->tell_progress($tty);
		alarm $interval;
	};
	alarm $interval;
}

sub open_test {
	my ($self, $path, $parser) = @_;
	my ($name) = $path =~ m{([^/]+)$};
	my $session = bless {
		name => $name, parser => $parser, started => time, all => $self,
		passed => 0, failed => 0, skipped => 0, remarks => [],
	}, 'Tally::Session';

	push @{ $self->{running} }, $session;
	return $session;
}

# What a suite last wrote to its log says best what it is doing.
sub last_words {
	my ($name) = @_;
	open my $log, '<', "$ENV{CHECK_LOGS}/$name.log" or return '';
	seek $log, -500, 2;
	my ($last) = reverse grep { /\S/ } <$log>;
	return '' unless defined $last;
	$last =~ s/[^[:print:]]//g;
	return "; $last";
}

sub tell_progress {
	my ($self, $tty) = @_;
	my @suites = map {
		sprintf '%s %d ok, %d not ok%s', $_->{name}, $_->{passed},
			$_->{failed}, last_words($_->{name})
	} @{ $self->{running} };
	my $age = time - $self->{started};
	my $line = sprintf '   %d:%02d ', $age / 60, $age % 60;

	if (!$tty) {
		print "$line$_\n" for @suites;
		return;
	}
	# Side by side they share the line.
	my $width = @suites ? int(66 / @suites) : 0;
	print "\r\033[K$line", join ' | ', map { substr $_, 0, $width } @suites;
}

sub tell {
	my ($self, @lines) = @_;
	print "\r\033[K" if -t STDOUT;
	print map { "$_\n" } @lines;
}

# A suite that has passed is no longer in the list that tools/check --failed reads.
sub settle {
	my ($self, $name) = @_;
	my $file = "$ENV{CHECK_LOGS}/open";

	open my $in, '<', $file or return;
	my @left = grep { $_ ne "$name\n" } <$in>;
	open my $out, '>', $file or return;
	print $out @left;
}

sub summary {
	my ($self) = @_;
	my %sum = (passed => 0, failed => 0, skipped => 0);

	alarm 0;
	$self->tell('', '  passed   failed  skipped  seconds  suite');
	for my $suite (@{ $self->{over} }) {
		printf "%8d %8d %8d %8d  %s\n", @$suite{qw(passed failed skipped)},
			$suite->{seconds}, $suite->{name};
		$sum{$_} += $suite->{$_} for keys %sum;
	}
	my @begun = grep { !$_->{late} } @{ $self->{over} };
	if (@begun && !$sum{passed} && !$sum{failed}) {
		$self->tell('', 'not ok - nothing has passed');
		$sum{failed}++;
	}
	if (!$self->{booted} && grep { $_->{name} =~ /^vm-/ } @begun) {
		$self->tell('', 'not ok - no kernel was booted');
		$sum{failed}++;
	}
	$failed = $sum{failed};
	printf "\n%d passed, %d failed, %d skipped\n", @sum{qw(passed failed skipped)};
}

# prove has its own opinion of a plan of no tests.
END { $? ||= 1 if $failed }

package Tally::Session;

sub tell {
	my ($self, @lines) = @_;
	$self->{all}->tell(map { "   $self->{name}: $_" } @lines);
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
		$self->{telling} = !$result->is_actual_ok;
		if ($self->{telling}) {
			$self->{failed}++;
			$self->tell(@{ $self->{remarks} }, $line);
		} elsif ($result->has_skip) {
			$self->{skipped}++;
			$self->tell($line);
		} else {
			$self->{passed}++;
			$self->{all}{booted} = 1 if $line =~ / guest \S+: ran to its end/;
		}
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
	my $skips = $parser->skip_all;

	$self->{late} = $skips && $skips =~ /^no time is left/;
	$self->broken($_) for $parser->parse_errors;
	if ($parser->wait & 127) {
		$self->broken('killed by signal ' . ($parser->wait & 127));
	} elsif ($parser->exit > 128) {
		$self->broken('killed by signal ' . ($parser->exit - 128));
	} elsif ($parser->exit == 124) {
		$self->broken("no word for $ENV{CHECK_LIMIT} seconds");
	} elsif ($parser->exit && !$self->{failed}) {
		$self->broken('exit status ' . $parser->exit .
			', and no point says why');
	}
	if ($skips && $skips eq '(no reason given)') {
		$self->broken('ran no test');
	} elsif ($skips && !$self->{failed}) {
		$self->{skipped}++;
	}
	$self->{seconds} = time - $self->{started};
	$self->tell(sprintf '%d passed, %d failed, %d skipped in %d s',
		@$self{qw(passed failed skipped seconds)});
	$all->settle($self->{name}) if !$self->{failed};
	$all->{running} = [grep { $_ != $self } @{ $all->{running} }];
	push @{ $all->{over} }, $self;
}

1;
