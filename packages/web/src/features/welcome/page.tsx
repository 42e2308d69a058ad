import { Page, PageHeader } from '../../components/page-header.tsx';

export function WelcomePage() {
  return (
    <Page>
      <PageHeader title="Three steps to your first message" />
    </Page>
  );
}
