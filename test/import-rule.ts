import { posix } from 'node:path';

/**
 * Which folders of src the files of a folder may import besides their own; `composes` may import anything. The line of a
 * subfolder (`gates/rules`) comes before the line of its feature; a feature in a list includes all its subfolders.
 */
export const folders: Readonly<Record<string, readonly string[] | 'composes'>> = {
  address: [],
  mail: ['address'],
  signals: ['address', 'mail'],
  'gates/regex': [],
  'gates/rules': ['address', 'signals', 'ip', 'gates/regex'],
  'gates/segments': ['gates/decisions', 'db'],
  'gates/decisions': ['address', 'signals', 'gates', 'gates/rules', 'http', 'db'],
  'gates/outcomes': ['address', 'gates', 'gates/rules', 'gates/decisions', 'http', 'db'],
  'gates/suggestions': ['gates', 'gates/rules', 'gates/decisions', 'http', 'db'],
  'gates/reports': ['address', 'gates', 'gates/rules', 'gates/regex', 'gates/decisions', 'http', 'db'],
  gates: ['gates/rules', 'gates/regex', 'http', 'db'],
  blocklist: ['address', 'http', 'db'],
  'custom-lists': ['address', 'http', 'db'],
  'accounts/key-text': ['http'],
  // Clients are counted by their IP address, which address/ parses.
  'accounts/credits': ['accounts', 'http', 'db'],
  accounts: ['accounts/key-text', 'accounts/credits', 'address', 'http', 'db'],
  // Limits that several processes enforce together; accounts/ has the ones of a single process.
  limits: ['accounts', 'http', 'db'],
  audit: ['db'],
  lookups: ['address', 'mail', 'signals', 'http', 'db'],
  hints: ['signals', 'http'],
  overview: ['http', 'db'],
  learning: ['address', 'mail', 'db'],
  'webhooks/delivery': ['webhooks', 'http', 'db'],
  webhooks: ['http', 'db'],
  'hooks/formats': [],
  hooks: ['hooks/formats', 'address', 'http', 'db'],
  seen: ['address', 'http', 'db'],
  traffic: ['address', 'signals', 'http', 'db'],
  // Waves are detected in what traffic counts, and propose rules.
  waves: ['address', 'traffic', 'gates/rules', 'http', 'db'],
  // Implements the console's interfaces with accounts, lists and the audit trail.
  'console/adapters': 'composes',
  console: ['http', 'db'],
  mcp: ['http'],
  // The reference is generated from the OpenAPI document alone.
  reference: ['http'],
  'lists/sources': ['address'],
  'lists/snapshot': ['address', 'signals', 'lists/sources'],
  'lists/operator': ['lists/sources', 'lists/snapshot', 'db'],
  'lists/ranks': ['signals', 'lists/sources', 'lists/snapshot'],
  'lists/refresh': ['net', 'ip', 'lists/sources', 'lists/snapshot', 'lists/ranks'],
  'lists/distribution': ['lists/refresh', 'lists/snapshot', 'lists/ranks', 'db'],
  lists: ['address', 'signals', 'lists/sources', 'lists/snapshot', 'lists/operator'],
  // Signals of an IP address are described like all others.
  ip: ['address', 'signals', 'lists/sources', 'lists/snapshot'],
  'net/dns': ['mail'],
  'net/http': ['address', 'mail'],
  'net/registry': ['net/http'],
  'db/migrations': ['db'],
  'db/move': ['db'],
  db: ['db/migrations'],
  'http/session-api': ['http'],
  http: ['http/session-api'],
  // The sources of signals together: lists, facts, the network, IP data.
  knowledge: 'composes',
  // The contract of a feature, which every feature implements.
  'feature.ts': ['config.ts', 'db', 'http'],
  app: 'composes',
  cli: 'composes',
  library: 'composes',
  workers: 'composes',
  'main.ts': 'composes',
  'config.ts': [],
};

/** Files and folders that import only each other, and that every file may import. */
export const leaves: readonly string[] = [
  'actor.ts',
  'errors.ts',
  'error-message.ts',
  'reading.ts',
  'ulid.ts',
  'owner-scope.ts',
  'json-depth.ts',
  'log.ts',
  'node-http.ts',
  'version.ts',
  'list-kind.ts',
  'files',
  'platform',
  'input',
];

/** The composition is on top: only these import `app/`. */
export const aboveApp: readonly string[] = ['app', 'cli', 'library', 'workers', 'main.ts'];

/** A folder with more source files probably contains two ideas. */
export const maxFilesPerFolder = 30;

/** A numbered history, which only grows. */
export const growingFolder = 'src/db/migrations';

/** Folders of pure logic: they declare the I/O they need, and other folders implement it. */
export const pureFolders: readonly string[] = ['address', 'mail', 'signals', 'gates'];

/** The only files that may name each of these. */
export const allowedIn: Readonly<Record<string, RegExp>> = {
  pg: /^src\/db\/postgres/,
  'node:sqlite': /^src\/db\/sqlite/,
  'node:dgram': /^src\/net\//,
  kysely: /^src\/(db\/|.*-store\.ts$)/,
  'process.env': /^src\/config\.ts$/,
};

/** Packages that a single folder may import. */
export const oneFolder: readonly string[] = ['ioredis'];

const ioModule =
  /^node:(fs|fs\/promises|net|tls|dns|dns\/promises|dgram|http|http2|https|child_process|worker_threads|cluster|sqlite)$/;

/** The forbidden imports of a file, each with the rule it violates. */
export function violations(file: string, source: string): string[] {
  const code = withoutComments(source);
  const imports = importsOf(file, code);
  const found = imports.flatMap(({ target, typeOnly }) => {
    const line = violatedRule(file, target, typeOnly);
    return line === null ? [] : [`${file} imports ${target}: ${line}`];
  });
  if (/\bprocess\.env\b/.test(code) && isMisplaced(file, 'process.env')) {
    found.push(`${file} reads process.env: process.env belongs in ${allowedIn['process.env']}`);
  }
  return found;
}

/** The folders that import a package. */
export function importers(name: string, sources: ReadonlyMap<string, string>): string[] {
  const files = [...sources].filter(([file, source]) => importsOf(file, source).some(({ target }) => target === name));
  return [...new Set(files.map(([file]) => posix.dirname(file)))];
}

function violatedRule(file: string, target: string, typeOnly: boolean): string | null {
  if (!file.startsWith('src/')) return target.startsWith('src/') ? 'files outside src import nothing from src' : null;
  const folder = folderOf(file);
  if (!target.startsWith('src/')) return violatedPackageRule(file, target);
  const from = folderOf(target);
  if (leaves.includes(topOf(target))) return null;
  if (leaves.includes(topOf(file))) return `${topOf(file)} is a leaf and imports no other folder`;
  if (topOf(target) === 'app' && !aboveApp.includes(topOf(file))) return `only ${aboveApp.join(', ')} import app`;
  if (isWiring(file)) return null;
  const allowed = folders[folder];
  if (allowed === undefined) return `test/import-rule.ts has no line for ${folder}`;
  if (allowed === 'composes') return null;
  if (isWiring(target) && !typeOnly) return 'only app/ and wiring import wiring';
  if (folder === from) {
    const isBehaviour = isStore(file) && !isStore(target) && !typeOnly;
    return isBehaviour ? 'a store imports only stores and types of its own folder' : null;
  }
  if (!allowed.includes(from) && !(isForeign(file, target) && allowed.includes(topOf(target))))
    return `${folder} may import ${allowed.join(', ') || 'no other folder'}`;
  if (isStore(file) && from !== 'db' && !typeOnly) return 'a store imports db only';
  if (from === 'db' && topOf(file) !== 'db' && !isStore(file) && !typeOnly)
    return 'only a store imports more than types of db';
  return null;
}

function violatedPackageRule(file: string, name: string): string | null {
  if (isMisplaced(file, name)) return `${name} belongs in ${allowedIn[name]}`;
  const folder = topOf(file);
  const isPure = pureFolders.includes(folder) && !isStore(file) && !isWiring(file);
  return isPure && ioModule.test(name) ? `${folder} does no I/O` : null;
}

const isMisplaced = (file: string, name: string): boolean =>
  file.startsWith('src/') && allowedIn[name]?.test(file) === false;

/** A file of SQL; in a folder without a database the suffix has another meaning. */
const isStore = (file: string): boolean =>
  file.endsWith('-store.ts') && (folders[folderOf(file)]?.includes('db') ?? false);

/** `feature.ts` builds a feature from its parts and from those that other features provide. */
const isWiring = (file: string): boolean => /^src\/.+(\/|-)feature\.ts$/.test(file);

const topOf = (path: string): string => path.split('/')[1] ?? '';

const isForeign = (file: string, target: string): boolean => topOf(file) !== topOf(target);

/** The subfolder with its own line, or the feature. */
const folderOf = (path: string): string =>
  Object.keys(folders).find((folder) => path.startsWith(`src/${folder}/`)) ?? topOf(path);

interface Import {
  readonly target: string;
  readonly typeOnly: boolean;
}

function importsOf(file: string, code: string): Import[] {
  const statements = code.matchAll(/\b(?:import|export)\b([^'"`;()=]*?)\bfrom\s*['"]([^'"]+)['"]/g);
  const bare = code.matchAll(/\bimport()\s*\(?\s*['"]([^'"]+)['"]/g);
  return [...statements, ...bare].map(([, clause = '', target = '']) => ({
    target: target.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), target)) : target,
    typeOnly: isTypeOnly(clause.trim()),
  }));
}

function isTypeOnly(clause: string): boolean {
  if (clause.startsWith('type ')) return true;
  const names = /^\{([^}]*)\}$/.exec(clause)?.[1]?.split(',') ?? [''];
  return names.filter((name) => name.trim() !== '').every((name) => name.trim().startsWith('type ')) && clause !== '';
}

function withoutComments(source: string): string {
  return source.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/.*$/gm, '');
}
