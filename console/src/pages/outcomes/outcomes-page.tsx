import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { useGates } from '../../api/gates.ts';
import { useOverview } from '../../api/overview.ts';
import { BadLetIn } from '../../outcomes/bad-let-in.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { OutcomeFileCard } from './outcome-file-card.tsx';
import styles from './outcomes.module.css';

/** How sign-ups turned out: report them by file, see how many bad ones got in, and get rules from them. */
export function OutcomesPage() {
  const environment = useEnvironment();
  const overview = useOverview('30d');
  const gates = useGates().data ?? [];
  return (
    <Page
      title="Outcomes"
      lead="Report which sign-ups were good and which were bad. Rules are then judged by results, and better ones suggested."
    >
      <OutcomeFileCard />
      {overview.data && <BadLetIn outcomes={overview.data.outcomes} range="30d" />}
      {/* After the results: a card above that appears later would move this one. */}
      {overview.data && gates.length > 0 && (
        <Card title="Suggested rules">
          <p>With 20 good and 20 bad outcomes, a gate suggests rules that would have stopped the bad ones:</p>
          <ul className={styles.gates}>
            {gates.map(({ id, name }) => (
              <li key={id}>
                <Link href={`/${environment}/gates/${id}?suggest`}>Rules for {name}</Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Page>
  );
}
