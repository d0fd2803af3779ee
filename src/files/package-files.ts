import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder of package.json, wherever our code lies below it: in a checkout, in the installed package, in the container. */
export const packageRoot: string = dirname(findPackageJSON(import.meta.url) ?? '');

/** What we curate by hand. */
export const curatedData: string = join(packageRoot, 'data');
