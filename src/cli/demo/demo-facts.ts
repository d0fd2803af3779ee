import disposableMxTable from '../../../data/disposable-mx.json' with { type: 'json' };
import mxProviderTable from '../../../data/mx-providers.json' with { type: 'json' };
import type { Domain } from '../../address/domain.ts';
import type { Facts } from '../../lookups/facts.ts';
import { compileDisposableMx, disposableMail, disposableOperator } from '../../mail/disposable-mx.ts';
import { compileMxProviders, recogniseProviders } from '../../mail/mx-providers.ts';
import { known, unknown } from '../../reading.ts';
import type { DomainFacts } from '../../signals/sources.ts';
import { type DemoDomain, demoDomains } from './demo-domains.ts';

const dayMs = 86_400_000;

/** The demonstration's network: it knows its own domains and nothing about others. */
export function createDemoFacts(startMs: number): Facts {
  const providers = compileMxProviders(mxProviderTable.entries);
  const disposable = compileDisposableMx(disposableMxTable.entries);
  const byName = new Map(demoDomains.map((each) => [each.name, each]));
  const made = new Map<string, DomainFacts>();

  const factsOf = (domain: Domain, found: DemoDomain): DomainFacts => {
    const mx = found.mx.map((hostname, index) => ({ hostname, priority: 10 * (index + 1) }));
    const { registered } = found;
    const registeredAtMs = typeof registered === 'number' ? startMs - registered * dayMs : Date.parse(registered);
    const from = (detail: string) => () => [{ source: 'demonstration', detail }];
    return {
      mx: known(mx, from('made up')),
      mxProviders: recogniseProviders(mx, providers, domain),
      disposableMx: disposableOperator(mx, disposable),
      disposableMail: disposableMail(domain, mx, disposable, () => 0),
      spf: known(found.spf, from('made up')),
      dmarc: known(found.dmarc, from('made up')),
      dnsbl: unknown('not_applicable'),
      registeredAtMs: known(registeredAtMs, from(`registered ${new Date(registeredAtMs).toISOString().slice(0, 10)}`)),
      rank: null,
      isRankingLoaded: false,
      ranking: { explain: () => [] },
    };
  };
  return {
    rank: () => null,
    factsOf(domain) {
      const found = byName.get(domain.ascii);
      if (found === undefined) return nothing;
      const facts = made.get(found.name) ?? factsOf(domain, found);
      made.set(found.name, facts);
      return facts;
    },
  };
}

const offline = unknown('offline');
const nothing: DomainFacts = {
  mx: offline,
  mxProviders: [],
  disposableMx: null,
  disposableMail: null,
  spf: offline,
  dmarc: offline,
  dnsbl: unknown('not_applicable'),
  registeredAtMs: offline,
  rank: null,
  isRankingLoaded: false,
  ranking: { explain: () => [] },
};
