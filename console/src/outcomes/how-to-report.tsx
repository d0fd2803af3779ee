import { Link } from 'wouter';
import { useEnvironment } from '../api/environment.ts';

/** One sentence for where outcomes would be shown, while none is known. */
export function HowToReport({ className }: { className?: string | undefined }) {
  const environment = useEnvironment();
  return (
    <p className={className}>
      Report which sign-ups were good or bad, with the thumbs in the <Link href={`/${environment}/log`}>log</Link> or{' '}
      <a href="/docs/outcomes">
        <code>POST /v1/outcomes</code>
      </a>
      , and the rules are judged by results.
    </p>
  );
}
