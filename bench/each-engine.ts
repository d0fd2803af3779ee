import { MissingProgramError } from '../scripts/programs.ts';
import type { DatabaseOptions } from '../src/db/db.ts';
import { temporaryDirectory } from '../test/engines.ts';
import { postgresUrl } from '../test/services.ts';
import type { Row } from './row.ts';

/** An engine by its name, and empty databases on it. */
export interface BenchEngine {
  readonly name: 'SQLite' | 'PostgreSQL';
  fresh(): Promise<DatabaseOptions>;
}

const sqlite: BenchEngine = { name: 'SQLite', fresh: async () => ({ url: null, dataDir: temporaryDirectory() }) };
const postgres: BenchEngine = {
  name: 'PostgreSQL',
  fresh: async () => ({ url: await postgresUrl(), dataDir: temporaryDirectory() }),
};

type Measure = (engine: BenchEngine) => Promise<Row[]>;

/** The rows of both engines; one whose program is missing has none. `GROWTH_ENGINE=SQLite` selects one. */
export const onEachEngine = (measure: Measure): Promise<Row[]> => rowsOf([sqlite, postgres], measure);

/** The rows of PostgreSQL alone. */
export const onPostgres = (measure: Measure): Promise<Row[]> => rowsOf([postgres], measure);

async function rowsOf(engines: readonly BenchEngine[], measure: Measure): Promise<Row[]> {
  const rows: Row[] = [];
  // A service that does not listen has only timers, which do not keep the process alive.
  const held = setInterval(() => {}, 60_000);
  for (const engine of engines) {
    if ((process.env.GROWTH_ENGINE ?? engine.name) !== engine.name) continue;
    try {
      rows.push(...(await measure(engine)));
    } catch (error) {
      if (!(error instanceof MissingProgramError)) throw error;
      console.error(error.message);
    }
  }
  clearInterval(held);
  return rows;
}
