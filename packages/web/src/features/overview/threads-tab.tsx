import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { CodeSnippet } from '../../components/code-snippet.tsx';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import type { ListedNode } from '../../lib/nodes/index.ts';
import classes from './overview.module.css';
import { useThreadDump } from './queries.ts';
import { texts as overviewTexts, nodeTexts as texts } from './texts.ts';

export function ThreadsTab({ node }: { readonly node: ListedNode }) {
  const reason = usePermissionReason('threads:dump', node.id, overviewTexts.thisNode);
  const dump = useThreadDump(node.id);
  const url = useFileUrl(dump.data);
  return (
    <>
      <p className={classes.help}>{texts.threadsAbout}</p>
      <div className={classes.tools}>
        <Disabled reason={reason}>
          <Button loading={dump.isPending} onClick={() => dump.mutate()}>
            {texts.makeDump}
          </Button>
        </Disabled>
        {url !== undefined && (
          <Button
            component="a"
            href={url}
            download={`threads-${node.shortId}.json`}
            leftSection={<IconDownload size={16} />}
          >
            {texts.download}
          </Button>
        )}
      </div>
      {dump.error !== null && <ErrorNotice error={dump.error} />}
      {dump.data !== undefined && <CodeSnippet code={dump.data} label={texts.dump} />}
    </>
  );
}

/** An address in this browser under which a text can be downloaded, as long as it is shown. */
function useFileUrl(text: string | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (text === undefined) return undefined;
    const made = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return url;
}
