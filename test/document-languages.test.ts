import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { requireProgram } from '../scripts/programs.ts';
import { blocksOf, documents } from './document-blocks.ts';
import { missingService } from './services.ts';

const blocks = documents
  .flatMap(blocksOf)
  .filter(({ language, place }) => language === 'php' && !place.startsWith('docs/webhooks.md:'));

/** Stubs of the framework functions that a block calls, per the framework's documentation; each prints where a request would go. */
const frameworks = [
  {
    name: 'Laravel',
    mark: 'Illuminate',
    before: `namespace Psr\\Http\\Message { interface RequestInterface {} }
namespace Illuminate\\Support\\Facades {
  class Uri {
    function __construct(public string $host) {}
    function getHost() { return $this->host; }
    function withHost($host) { return new Uri($host); }
  }
  class Request implements \\Psr\\Http\\Message\\RequestInterface {
    function __construct(public Uri $uri) {}
    function getUri() { return $this->uri; }
    function withUri($uri) { return new Request($uri); }
  }
  class Http {
    static function globalRequestMiddleware($change) {
      foreach (['api.usercheck.com', 'example.org'] as $host) echo $change(new Request(new Uri($host)))->uri->host, "\\n";
    }
  }
}
namespace {`,
    after: '}',
    printed: 'signals.example.com\nexample.org\n',
  },
  {
    name: 'WordPress',
    mark: 'add_filter',
    before: `function wp_parse_url($url, $part) { return parse_url($url, $part); }
function wp_remote_request($url, $arguments) { return "asked $url"; }
function add_filter($hook, $filter, $priority, $count) {
  foreach (['https://api.usercheck.com/email/a%2Fb', 'https://example.org/'] as $url)
    echo $filter('left alone', [], $url), "\\n";
}`,
    after: '',
    printed: 'asked https://signals.example.com/email/a%2Fb\nleft alone\n',
  },
];

const withoutPhp = await missingService(async () => requireProgram('php'));

describe('blocks of PHP in the documents', { skip: withoutPhp }, () => {
  for (const { place, source } of blocks) {
    it(`the PHP block ${place} sends its requests to the service, and does not change others`, () => {
      const framework = frameworks.find(({ mark }) => source.includes(mark));
      assert.ok(framework !== undefined, 'no stub for the framework of this block');
      const { before, after, printed } = framework;
      const program = `${before}\n${source.replace('<?php', '')}\n${after}`;
      assert.equal(execFileSync(requireProgram('php'), ['-r', program], { encoding: 'utf8' }), printed);
    });
  }
});

describe('languages of blocks in the documents', () => {
  /** The test that runs the blocks of each language; CSV and YAML blocks are not programs. */
  const runIn: Readonly<Record<string, RegExp>> = {
    sh: /./,
    json: /./,
    php: /./,
    js: /^docs\/hooks\.md:/,
    ts: /^docs\/(challenge|client|library|outcomes|webhooks)\.md:/,
    python: /^docs\/(hooks|webhooks)\.md:/,
    csv: /^docs\/accuracy\.md:/,
    yaml: /^docs\/runbook\.md:/,
  };
  for (const { place, language } of documents.flatMap(blocksOf).filter(({ notRun }) => notRun === null)) {
    it(`${place}: ${language} is a language that a test runs`, () => {
      assert.match(place, runIn[language] ?? /^nowhere$/);
    });
  }
});
