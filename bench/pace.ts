/** `--quick` takes fewer and shorter rounds and smaller lists: enough to see that all runs, and about where it stands. */
export const isQuick = process.argv.includes('--quick');

/** The usual figure, or the one of a quick run. */
export function paced(usual: number, quick: number): number {
  return isQuick ? quick : usual;
}
