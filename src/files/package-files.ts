import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder of package.json, in a checkout, in the installed package and in the container. */
export const packageRoot: string = dirname(findPackageJSON(import.meta.url) ?? '');

/** The folder of data curated by hand. */
export const curatedData: string = join(packageRoot, 'data');
