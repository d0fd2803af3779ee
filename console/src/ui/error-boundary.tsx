import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './error-boundary.module.css';

interface Properties {
  /** The part that stopped working: "This page". */
  readonly what: string;
  /** When it changes, the content gets another chance. */
  readonly place?: string;
  readonly children: ReactNode;
}

/** Shows a way forward instead of a blank page when a component throws. */
export class ErrorBoundary extends Component<Properties, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate({ place }: Properties) {
    if (place !== this.props.place && this.state.error !== null) this.setState({ error: null });
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <section className={styles.broken} role="alert">
        <h1>{this.props.what} stopped working</h1>
        <p>Reload it. If that does not help, choose another page, and report the text below.</p>
        <pre className={styles.detail}>{String(error)}</pre>
        <Button kind="primary" icon="refresh" onClick={() => location.reload()}>
          Reload
        </Button>
      </section>
    );
  }
}
