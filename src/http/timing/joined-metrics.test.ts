import assert from 'node:assert/strict';
import { it } from 'node:test';
import { joinMetrics } from './joined-metrics.ts';

const metricsOf = (requests: number): string => `# HELP requests_total Requests
# TYPE requests_total counter
requests_total{status="200"} ${requests}
requests_total{status="404"} 1

# HELP up Whether it is up
# TYPE up gauge
up 1
`;

it('joined metrics label each sample with its worker and describe each metric once', () => {
  const texts = new Map([
    [0, metricsOf(5)],
    [1, metricsOf(7)],
  ]);
  assert.equal(
    joinMetrics(texts),
    `# HELP requests_total Requests
# TYPE requests_total counter
requests_total{worker="0",status="200"} 5
requests_total{worker="0",status="404"} 1
requests_total{worker="1",status="200"} 7
requests_total{worker="1",status="404"} 1
# HELP up Whether it is up
# TYPE up gauge
up{worker="0"} 1
up{worker="1"} 1
`,
  );
});

it('joined metrics keep the samples of a metric that only one worker has', () => {
  const text = '# HELP extra Only here\n# TYPE extra gauge\nextra 3\n';
  const joined = joinMetrics(
    new Map([
      [0, metricsOf(1)],
      [1, text],
    ]),
  );
  assert.match(joined, /^extra\{worker="1"\} 3$/m);
});

it('joined metrics leave out a worker that did not answer', () => {
  const joined = joinMetrics(
    new Map([
      [0, ''],
      [1, metricsOf(2)],
    ]),
  );
  assert.doesNotMatch(joined, /worker="0"/);
  assert.match(joined, /^up\{worker="1"\} 1$/m);
});
