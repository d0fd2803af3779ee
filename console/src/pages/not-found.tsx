import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';

/** Nothing is here, or nothing of yours. */
export function NotFoundPage({ what = 'This page' }: { what?: string }) {
  return (
    <Page title="Not found">
      <Empty action={<ButtonLink href="~/console/">To the start</ButtonLink>}>
        {what} was not found. It may have been removed, or belong to another environment.
      </Empty>
    </Page>
  );
}
