/** `--quick` runs fewer and shorter rounds with smaller lists: enough to check that everything runs, with rough figures. */
export const isQuick = process.argv.includes('--quick');

/** The usual value, or the one of a quick run. */
export function paced(usual: number, quick: number): number {
  return isQuick ? quick : usual;
}
