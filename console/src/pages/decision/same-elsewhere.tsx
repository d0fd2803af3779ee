import { Link } from 'wouter';
import { useEnvironment } from '../../api/environment.ts';
import { type DecisionDetail, subjectOf, useLatest } from '../../api/log.ts';
import { counted } from '../../text/numbers.ts';
import styles from './decision.module.css';

const most = 100;

/** How many decisions concern the same address and the same IP address, with links to them. */
export function SameElsewhere({ decision }: { decision: DecisionDetail }) {
  const environment = useEnvironment();
  const { ip } = decision.input;
  // Of IPv6 addresses the log knows the network, too, but its prefix is not a part of the text.
  const network = ip && /^[\d.]+$/.test(ip) ? ip.replace(/\d+$/, '0/24') : null;
  return (
    <p className={styles.same}>
      <Same what="Same address" q={subjectOf(decision)} />
      {ip && <Same what="Same IP" q={ip} />}
      {network && (
        <Link href={`/${environment}/log?network=${encodeURIComponent(network)}`}>Same network {network}</Link>
      )}
      <span>
        Request <code>{decision.meta.request_id}</code>
      </span>
    </p>
  );
}

/** The log has the decision itself, too. */
function othersText(others: number): string {
  if (others >= most - 1) return `more than ${most - 1} others`;
  return others <= 0 ? 'no other decision' : counted(others, 'other decision');
}

function Same({ what, q }: { what: string; q: string }) {
  const environment = useEnvironment();
  const found = useLatest({ q }, most).data?.data.length;
  return (
    <Link href={`/${environment}/log?q=${encodeURIComponent(q)}`}>
      {what}: {found === undefined ? '…' : othersText(found - 1)}
    </Link>
  );
}
