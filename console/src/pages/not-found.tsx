import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';

/** Shown for an unknown page or object, or one of another account. */
export function NotFoundPage({ what = 'This page' }: { what?: string }) {
  return (
    <Page title="Not found">
      <Empty action={<ButtonLink href="~/console/">Go to the overview</ButtonLink>}>
        {what} was not found. It may have been deleted, or it belongs to another environment.
      </Empty>
    </Page>
  );
}
