import type { AllDiagnostics } from '../../app/diagnostics.ts';
import type { Command, Output } from '../command.ts';
import type { Paint } from '../paint.ts';
import { fetchDiagnostics, serviceUrl } from './fetch-diagnostics.ts';
import { error, type Finding } from './finding.ts';
import { judgeService } from './findings.ts';
import { judgeDataDir } from './judge-data-dir.ts';
import { dateText } from './quantities.ts';

/** `signalpost doctor`. */
export const doctorCommand: Command = {
  name: 'doctor',
  usage: '[--url URL]',
  summary: 'Say what is wrong with the service: DNS, lists, disk, database, jobs, queues, slow requests',
  options: {
    url: { type: 'string', value: 'URL', help: 'the address of a running service; else it is read from the settings' },
  },
  example: 'doctor --url http://127.0.0.1:8080',
  positionals: [0, 0],
  async run({ config, options }) {
    const url = (options.url ?? serviceUrl(config)).replace(/\/+$/, '');
    const fetched = await fetchDiagnostics(url, config.metricsToken);
    if ('state' in fetched) return report(judgeService(fetched.state), fetched.state, url);
    const findings = [error('Service', fetched.problem, fetched.fix)];
    // The service knows its own state better than its files do.
    if (fetched.isRunning) return report(findings, null, url);
    return report([...findings, ...(await judgeDataDir(config))], null, url);
  },
};

const marks: Readonly<Record<Finding['level'], readonly ['green' | 'yellow' | 'red', string]>> = {
  ok: ['green', '✓'],
  warning: ['yellow', '!'],
  error: ['red', '✗'],
};

function report(findings: readonly Finding[], state: AllDiagnostics | null, url: string): Output {
  const errors = findings.filter(({ level }) => level === 'error').length;
  const lines = (paint: Paint): string[] =>
    findings.map(
      ({ level, area, text, fix }) =>
        `${paint(...marks[level])} ${area}: ${text}${fix === undefined ? '' : `. ${fix}`}`,
    );
  const sections = (paint: Paint): string[] => [
    state === null ? 'The service is not available: these are the checks without it.' : heading(state, url),
    lines(paint).join('\n'),
    ...(state === null ? [] : slowestSection(state)),
  ];
  return {
    json: { url, findings, diagnostics: state },
    text: (paint) => sections(paint).join('\n\n'),
    ...(errors === 0 ? {} : { failure: errors === 1 ? 'one problem' : `${errors} problems` }),
  };
}

function heading({ processes }: AllDiagnostics, url: string): string {
  const [first] = processes;
  if (first === undefined) return url;
  const count = processes.length === 1 ? 'one process' : `${processes.length} processes`;
  return `Signalpost ${first.version} at ${url}, ${count}, started ${dateText(first.started_at)}`;
}

const slowestShown = 10;

function slowestSection({ processes }: AllDiagnostics): string[] {
  const slowest = processes.flatMap(({ requests }) => requests.slowest).sort((one, other) => other.ms - one.ms);
  if (slowest.length === 0) return [];
  const rows = slowest.slice(0, slowestShown).map(({ operation, request_id, status, at, ms, stages }) => {
    const parts = Object.entries(stages)
      .sort(([, one], [, other]) => other - one)
      .filter(([, stageMs]) => stageMs >= 0.1)
      .map(([stage, stageMs]) => `${stage} ${stageMs.toFixed(1)}`);
    return `  ${ms.toFixed(1)} ms  ${operation} ${status}: ${parts.join(', ')}  (${dateText(at)}, request ${request_id})`;
  });
  return [['Slowest requests of the last minutes, with milliseconds by stage', ...rows].join('\n')];
}
