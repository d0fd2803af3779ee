import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { startApp } from '../../test/start-app.ts';

it('facts that cannot be read are logged once a second, however many lookups need them', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const started = await startApp({}, { log });
  try {
    await sql`drop table facts`.execute(started.db.write);
    const lookups = Array.from({ length: 50 }, (_, index) =>
      started.request('GET', `/domain/new-${index}.com`, { key: started.keys.production }),
    );
    for (const { status } of await Promise.all(lookups)) assert.equal(status, 200);
    const about = lines.filter((line) => line.includes('facts could not be read'));
    assert.ok(about.length >= 1 && about.length < 10, `${about.length} lines`);
  } finally {
    await started.close();
  }
});
