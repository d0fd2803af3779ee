import { Link } from 'wouter';

interface Properties {
  readonly label: string;
  readonly links: readonly { readonly href: string; readonly name: string }[];
}

/** A line of links after a label; nothing without one. */
export function NamedLinks({ label, links }: Properties) {
  if (links.length === 0) return null;
  return (
    <p>
      {label}:{' '}
      {links.map(({ href, name }, place) => (
        <span key={href}>
          {place > 0 && ', '}
          <Link href={href}>{name}</Link>
        </span>
      ))}
    </p>
  );
}
