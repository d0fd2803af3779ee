import { csvLine } from '../../csv/csv-line.ts';
import { AppError } from '../errors.ts';
import { conditionText } from '../gates/suggestions/condition-text.ts';
import type { Author } from '../http/endpoint.ts';
import { wireTime } from '../http/wire-time.ts';
import { reportedOutcomes, verdicts, waveStates } from '../waves/wave.ts';
import { allowedBody, type WholeWave, waveBody, wholeWaveBody } from '../waves/wave-body.ts';
import type { Drafts } from '../waves/wave-draft.ts';
import type { Waves } from '../waves/waves.ts';
import { readWholeWave } from '../waves/whole-wave.ts';
import { type Command, type Invocation, table, UsageError } from './command.ts';
import { withOwner } from './open-service.ts';
import { ownerOptions, ownerUsage } from './owner-options.ts';

const maxListed = 1_000;

/** `signalpost waves …`. */
export const waveCommands: readonly Command[] = [
  {
    name: 'waves list',
    usage: `${ownerUsage} [--state open|ended]`,
    summary: 'List waves of sign-ups, newest first',
    options: { ...ownerOptions, state: { type: 'string', value: 'S', help: 'only open or ended ones' } },
    example: 'waves list --account ACCOUNT_ID --environment production --state open',
    positionals: [0, 0],
    run: (invocation) =>
      withWaves(invocation, async (waves, author) => {
        const state = oneOf(waveStates, invocation.options.state, '--state');
        const found = await waves.list(author, state === undefined ? {} : { state }, maxListed);
        const rows = found.map((wave) => [
          wave.id,
          wave.endedAtMs === null ? 'open' : 'ended',
          wave.kind,
          wave.value,
          String(wave.addresses),
          String(wave.allow),
          wireTime(wave.beganAtMs),
          wave.verdict ?? '',
        ]);
        const heading = ['ID', 'STATE', 'KIND', 'VALUE', 'ADDRESSES', 'ALLOWED', 'BEGAN', 'VERDICT'];
        return { json: found.map(waveBody.body), text: found.length === 0 ? 'No waves' : table(heading, rows) };
      }),
  },
  {
    name: 'waves show',
    usage: `${ownerUsage} WAVE_ID`,
    summary: 'Show a wave, what its value is, the rule against it and some of its decisions',
    options: ownerOptions,
    example: 'waves show --account ACCOUNT_ID --environment production WAVE_ID',
    positionals: [1, 1],
    run: (invocation) =>
      withWaves(invocation, async (waves, author, drafts) => {
        const wave = await readWholeWave(waves, drafts(), author, invocation.positionals[0] ?? '');
        const lines = wave.decisions.map(({ createdAtMs, action, email, ip }) => [
          wireTime(createdAtMs),
          action,
          email,
          ip ?? '',
        ]);
        return {
          json: wholeWaveBody.body(wave),
          text: [
            sentence(wave),
            wave.about.text,
            ruleSentence(wave),
            table(['DECIDED', 'ACTION', 'ADDRESS', 'IP'], lines),
          ].join('\n'),
        };
      }),
  },
  {
    name: 'waves judge',
    usage: `${ownerUsage} WAVE_ID attack|fine|none`,
    summary: 'Record a verdict; after "fine" the same value raises no wave for 30 days',
    options: ownerOptions,
    example: 'waves judge --account ACCOUNT_ID --environment production WAVE_ID attack',
    positionals: [2, 2],
    run: (invocation) => {
      const verdict = oneOf([...verdicts, 'none'] as const, invocation.positionals[1], 'the verdict');
      return withWaves(invocation, async (waves, author) => {
        const given = verdict === undefined || verdict === 'none' ? null : verdict;
        const wave = await waves.judge(author, invocation.positionals[0] ?? '', given);
        return { json: waveBody.body(wave), text: `${wave.value}: ${wave.verdict ?? 'no verdict'}` };
      });
    },
  },
  {
    name: 'waves outcome',
    usage: `${ownerUsage} WAVE_ID good|bad|none`,
    summary: 'Report what became of all decisions that a wave was allowed, and print them as CSV',
    options: ownerOptions,
    example: 'waves outcome --account ACCOUNT_ID --environment production WAVE_ID bad',
    positionals: [2, 2],
    run: (invocation) => {
      const outcome = oneOf([...reportedOutcomes, 'none'] as const, invocation.positionals[1], 'the outcome');
      return withWaves(invocation, async (waves, author) => {
        const id = invocation.positionals[0] ?? '';
        if (outcome === undefined || outcome === 'none') {
          await waves.undoReport(author, id);
          return { json: null, text: 'The outcomes that were reported for the wave are removed' };
        }
        const { reported, decisions } = await waves.report(author, id, outcome);
        const rows = decisions.map(allowedBody.body);
        const lines = rows.map((row) => csvLine(allowedColumns.map((column) => row[column])));
        const text = [csvLine(allowedColumns), ...lines].join('').trimEnd();
        return { json: { reported, decisions: rows }, text };
      });
    },
  },
];

const allowedColumns = ['decision_id', 'gate_id', 'email', 'ip', 'created_at', 'outcome'] as const;

function withWaves<T>(
  invocation: Invocation,
  work: (waves: Waves, author: Author, drafts: () => Drafts) => Promise<T>,
): Promise<T> {
  return withOwner(invocation, async (service, author) => {
    try {
      return await work(service.waves, author, () => service.waveDrafts);
    } catch (error) {
      if (error instanceof AppError && error.code === 'wave_not_found')
        throw new Error(`there is no wave ${invocation.positionals[0]} in ${author.environment}`);
      throw error;
    }
  });
}

function oneOf<T extends string>(words: readonly T[], text: string | undefined, what: string): T | undefined {
  if (text === undefined) return undefined;
  const word = words.find((each) => each === text);
  if (word === undefined) throw new UsageError(`${what} is one of ${words.join(', ')}, not "${text}"`);
  return word;
}

function sentence(wave: WholeWave): string {
  const until = wave.endedAtMs === null ? 'still open' : `ended ${wireTime(wave.endedAtMs)}`;
  return (
    `${wave.kind} ${wave.value}: ${wave.addresses} addresses at ${counted(wave.domains, 'domain')} ` +
    `from ${counted(wave.ips, 'IP address', 'IP addresses')} ` +
    `since ${wireTime(wave.beganAtMs)}, ${until}; ${wave.allow} allowed, ${wave.block} blocked, ${wave.challenge} challenged; ` +
    `usually ${wave.usualPerHour} an hour`
  );
}

/** The rule against a wave in words. */
function ruleSentence({ rule, entry }: Pick<WholeWave, 'rule' | 'entry'>): string {
  if (entry !== null) {
    const listed = `Drafted: put ${entry.value} on the list "${entry.list.name}" until ${wireTime(entry.expiresAtMs)}`;
    return rule === null ? `${listed}; a rule uses it already` : `${listed}, and ${rule.action} what is on it`;
  }
  if (rule === null) return 'No rule is drafted: live rules stop the wave already';
  return `Drafted rule: ${rule.action} if ${rule.conditions.map(conditionText).join(' and ')}`;
}

const counted = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;
