const neededMajor = 24;

/** Why the engine does not run on a runtime; null when it does. Bun lacks functions of Node that the engine calls. */
export function runtimeProblem({ node, bun }: { readonly node: string; readonly bun?: string }): string | null {
  if (bun !== undefined) {
    return `The engine of Signalpost does not run on Bun (this is ${bun}). Use Node ${neededMajor} or newer, or Deno; or run the service and call it with @signalpost/client, which runs on Bun`;
  }
  return Number.parseInt(node, 10) < neededMajor
    ? `Signalpost needs Node ${neededMajor} or newer, this is v${node}`
    : null;
}
