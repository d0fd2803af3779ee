import { Suspense, useCallback, useEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { rememberEnvironment, useEnvironment } from '../api/environment.ts';
import { OutageContext } from '../api/outage.ts';
import { useSessionEnded } from '../api/session-state.ts';
import { loadAllPages, pages } from '../pages/all.ts';
import { NotFoundPage } from '../pages/not-found.tsx';
import { lazyPart } from '../ui/chunk.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Icon } from '../ui/icon.tsx';
import { PageSkeleton } from '../ui/page.tsx';
import { Navigation } from './navigation.tsx';
import { OutageNotice } from './outage-notice.tsx';
import styles from './shell.module.css';
import { useScrollToTop } from './use-scroll-to-top.ts';
import { useShortcuts } from './use-shortcuts.ts';

const Palette = lazyPart(async () => (await import('./palette/palette.tsx')).Palette);
const ShortcutsHelp = lazyPart(async () => (await import('./shortcuts-help.tsx')).ShortcutsHelp);
const SignInDialog = lazyPart(async () => (await import('../pages/sign-in/sign-in-dialog.tsx')).SignInDialog);

/** Late enough not to compete with the requests of the first page. */
const prefetchAfterMs = 3_000;

/** The frame of every page: the environment's colour on top, the navigation on the left or behind a button. */
export function Shell() {
  const environment = useEnvironment();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [open, setOpen] = useState<'palette' | 'help' | null>(null);
  const openPalette = useCallback(() => setOpen('palette'), []);
  const openHelp = useCallback(() => setOpen('help'), []);
  const closeAll = useCallback(() => setOpen((now) => (now === 'palette' ? null : now)), []);
  useShortcuts({ onPalette: openPalette, onHelp: openHelp });
  const ended = useSessionEnded();
  const [location] = useLocation();
  useEffect(() => rememberEnvironment(environment), [environment]);
  useEffect(() => {
    const idle = setTimeout(loadAllPages, prefetchAfterMs);
    return () => clearTimeout(idle);
  }, []);
  const place = location.split('/').slice(0, 3).join('/');
  useEffect(() => {
    if (place !== '') setMenuOpen(false);
  }, [place]);
  useScrollToTop(location);
  return (
    <div className={styles.shell} data-environment={environment}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <header className={styles.bar}>
        <button
          type="button"
          className={styles.menu}
          aria-expanded={isMenuOpen}
          aria-controls="navigation"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          <Icon name={isMenuOpen ? 'cross' : 'menu'} />
          Menu
        </button>
        <span className={styles.where}>{environment}</span>
      </header>
      <Navigation isOpen={isMenuOpen} onLeave={() => setMenuOpen(false)} onPalette={openPalette} />
      <main id="main" className={styles.main} tabIndex={-1}>
        <OutageNotice />
        <OutageContext value={true}>
          <ErrorBoundary place={location} what="This page">
            <Suspense fallback={<PageSkeleton what="The page" />}>
              <Pages />
            </Suspense>
          </ErrorBoundary>
        </OutageContext>
      </main>
      <Suspense fallback={null}>
        {open === 'palette' && <Palette onClose={closeAll} onHelp={openHelp} />}
        {open === 'help' && <ShortcutsHelp onClose={() => setOpen(null)} />}
        {ended && <SignInDialog />}
      </Suspense>
    </div>
  );
}

function Pages() {
  return (
    <Switch>
      {pages.flatMap(({ path, routes }) =>
        Object.entries(routes).map(([below, { Component }]) => (
          <Route key={`${path}/${below}`} path={`/:environment/${path}${below === '' ? '' : `/${below}`}`}>
            <Component />
          </Route>
        )),
      )}
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  );
}
