import { InputProblem } from '../../csv/scan-records.ts';
import { parseDomain } from '../address/domain.ts';
import { AppError } from '../errors.ts';
import { createYielder } from '../platform/yielding.ts';
import { type DomainLine, domainLines } from './domain-lines.ts';
import { domainProblem } from './domain-problem.ts';

/** A line without a valid domain. */
export interface WrongLine {
  readonly line: number;
  readonly text: string;
  readonly error: string;
}

/** The parsed lines of a pasted text. */
export interface PastedDomains {
  /** Without duplicates, in the order of the text. */
  readonly domains: readonly string[];
  /** By domain; domains without a reason are absent. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Lines that repeat an earlier domain. */
  readonly repeated: number;
  readonly wrongCount: number;
  /** The first wrong lines. */
  readonly wrong: readonly WrongLine[];
}

const shownWrong = 100;
/** Characters shown of a wrong line. */
const shownText = 200;

/** Parses a pasted text: one domain per line, or CSV with a column `domain`; throws `validation_failed` where CSV cannot be read. */
export async function readPasted(text: string): Promise<PastedDomains> {
  const domains = new Set<string>();
  const reasons = new Map<string, string>();
  const wrong: WrongLine[] = [];
  let repeated = 0;
  let wrongCount = 0;
  const yieldWhenDue = createYielder();
  for (const { line, text: content, reason } of readable(domainLines(text))) {
    const pause = yieldWhenDue();
    if (pause !== null) await pause;
    const domain = parseDomain(content);
    if (domain === null) {
      wrongCount += 1;
      if (wrong.length < shownWrong)
        wrong.push({ line, text: content.slice(0, shownText), error: domainProblem(content) });
    } else if (domains.has(domain.ascii)) repeated += 1;
    else {
      domains.add(domain.ascii);
      if (reason !== null) reasons.set(domain.ascii, reason);
    }
  }
  return { domains: [...domains], reasons, repeated, wrongCount, wrong };
}

function* readable(lines: Iterable<DomainLine>): Generator<DomainLine> {
  try {
    yield* lines;
  } catch (error) {
    throw error instanceof InputProblem
      ? new AppError('validation_failed', { errors: { text: [error.message] } })
      : error;
  }
}
