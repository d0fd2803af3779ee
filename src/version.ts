import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The version in package.json, which is one folder further up once the source is compiled. */
export const version: string = JSON.parse(readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8')).version;
