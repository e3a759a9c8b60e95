import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { refreshViewer, type Viewer } from '../viewer.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { SetUp } from './SetUp.tsx';
import { TurnedOn } from './TurnedOn.tsx';

/** Two-step sign-in: set up, in use, or with codes to be saved. */
export function SecondFactor({ viewer }: { viewer: Viewer }) {
  const client = useApolloClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  // The viewer is refreshed only now: an earlier refresh would replace the codes before they are saved.
  const refresh = async () => {
    await refreshViewer(client).catch(() => undefined);
    setCodes(null);
  };
  if (codes) return <RecoveryCodes codes={codes} onDone={() => void refresh()} />;
  if (!viewer.secondFactor) return <SetUp onCodes={setCodes} />;
  return <TurnedOn state={viewer.secondFactor} onCodes={setCodes} onEnded={() => void refresh()} />;
}
