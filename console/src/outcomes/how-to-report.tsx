import { Link } from 'wouter';
import { useEnvironment } from '../api/environment.ts';

/** One sentence for where outcomes would be shown, while none is known. */
export function HowToReport({ className }: { className?: string | undefined }) {
  const environment = useEnvironment();
  return (
    <p className={className}>
      Report good and bad sign-ups with the thumbs in the <Link href={`/${environment}/log`}>log</Link>,{' '}
      <Link href={`/${environment}/outcomes`}>from a file</Link> or with{' '}
      <a href="/docs/outcomes">
        <code>POST&nbsp;/v1/outcomes</code>
      </a>{' '}
      to see how well the rules decide.
    </p>
  );
}
