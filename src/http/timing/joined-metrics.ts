/** Joins the metrics of several workers into one text: each sample gets a `worker` label, each metric is described once. */
export function joinMetrics(texts: ReadonlyMap<number, string>): string {
  const described = new Map<string, string[]>();
  for (const [worker, text] of texts) {
    let family: string[] = [];
    for (const line of text.split('\n')) {
      const [, kind, name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (kind !== undefined) {
        family = described.get(name) ?? [];
        if (!family.includes(line)) family.push(line);
        described.set(name, family);
      } else if (line !== '') family.push(labelled(line, worker));
    }
  }
  return `${[...described.values()].flat().join('\n')}\n`;
}

/** A sample is `name value` or `name{labels} value`. */
function labelled(sample: string, worker: number): string {
  return /^[^{ ]+\{/.test(sample)
    ? sample.replace('{', `{worker="${worker}",`)
    : sample.replace(' ', `{worker="${worker}"} `);
}
