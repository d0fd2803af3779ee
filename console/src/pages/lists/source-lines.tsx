import type { Download, ListSource, Lists } from '../../api/lists.ts';
import { addition, freshness } from '../../text/freshness.ts';
import { sourceAbout, sourceName } from '../../text/sources.ts';
import { Pill } from '../../ui/pill.tsx';
import { DownloadState } from './download-state.tsx';
import styles from './lists.module.css';

interface Line {
  readonly name: string;
  readonly about: string;
  readonly source?: ListSource;
  readonly download?: Download;
}

/** One line per source: its description, its age and its contribution. */
export function SourceLines({ lists }: { lists: Lists }) {
  const { compiled, others } = linesOf(lists);
  return (
    <>
      <ul className={styles.lines}>{compiled.map(SourceLine)}</ul>
      <h3 className={styles.group}>Other data</h3>
      <ul className={styles.lines}>{others.map(SourceLine)}</ul>
    </>
  );
}

function SourceLine({ name, about, source, download }: Line) {
  // Without an automatic refresh, which the card says, no download is late.
  const isRefreshed = download?.enabled === false || (download?.late ?? null) !== null;
  const isMissing = download?.enabled === true && (isRefreshed || source === undefined);
  const count = source?.count ?? (download?.fetched_at ? download.count : 0);
  const facts = [
    freshness({
      version: source?.version,
      date: source?.date ?? download?.edition?.date,
      checkedAt: download?.checked_at ?? (isMissing ? null : undefined),
    }),
    addition(count, source?.alone ?? null),
  ].filter((text) => text !== '');
  return (
    <li key={name}>
      <div>
        <p className={styles.title}>
          <span className={styles.source}>{name}</span>
          {source?.old && <Pill tone="challenge">out of date</Pill>}
          {download && isRefreshed && <DownloadState download={download} />}
        </p>
        <p className={styles.soft}>{about}</p>
        {download?.problem && <p className={styles.trouble}>{download.problem}</p>}
      </div>
      <div className={styles.facts}>
        {facts.map((fact) => (
          <p key={fact}>{fact}</p>
        ))}
      </div>
    </li>
  );
}

/** The compiled sources with their downloads, and the downloads that are other data. */
function linesOf({ sources, downloads }: Lists): Readonly<Record<'compiled' | 'others', readonly Line[]>> {
  const downloadOf = (name: string) => downloads.find((one) => sourceName(one.source) === name);
  const compiled = sources.map((source): Line => {
    const name = sourceName(source.name);
    const download = downloadOf(name);
    return { name, about: sourceAbout(source.name), source, ...(download && { download }) };
  });
  const others = downloads
    .filter(({ source }) => !compiled.some(({ name }) => name === sourceName(source)))
    .map((download) => ({ name: sourceName(download.source), about: sourceAbout(download.source), download }));
  return { compiled, others };
}
