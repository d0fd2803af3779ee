import { Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { EnvironmentContext, isEnvironment, lastEnvironment } from './api/environment.ts';
import { useMe } from './api/session.ts';
import { firstPage } from './pages/all.ts';
import { NotFoundPage } from './pages/not-found.tsx';
import { Shell } from './shell/shell.tsx';
import { lazyPart } from './ui/chunk.ts';
import { PageSkeleton } from './ui/page.tsx';
import { Problem } from './ui/problem.tsx';

const ChoosePassword = lazyPart(async () => (await import('./pages/sign-in/choose-password.tsx')).ChoosePassword);
const SignInPage = lazyPart(async () => (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage);

/** The shell with a page when signed in; otherwise the sign-in page, which then continues to the requested URL. */
export function App() {
  const me = useMe();
  if (me.isPending) return <PageSkeleton what="The console" />;
  if (me.error && me.data === undefined)
    return <Problem error={me.error} what="The console" onRetry={() => void me.refetch()} />;
  if (!me.data?.user.has_password) {
    return <Suspense fallback={null}>{me.data ? <ChoosePassword me={me.data} /> : <SignInPage />}</Suspense>;
  }
  return (
    <Switch>
      {['/', '/sign-in'].map((path) => (
        <Route key={path} path={path}>
          <Redirect to={`/${lastEnvironment()}/${firstPage}`} replace />
        </Route>
      ))}
      <Route path="/:environment/*?">
        {({ environment }) =>
          isEnvironment(environment) ? (
            <EnvironmentContext value={environment}>
              <Shell />
            </EnvironmentContext>
          ) : (
            <NotFoundPage />
          )
        }
      </Route>
    </Switch>
  );
}
