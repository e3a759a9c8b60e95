import { useNavigate } from 'react-router-dom';
import { Button } from '../../ui/parts/Button.tsx';
import { Dialog } from '../../ui/parts/Dialog.tsx';

/** A visitor's quick alert is kept; saving it needs an account. */
export function LoginRequiredDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Login Required"
      action={<Button onClick={() => void navigate('/auth', { state: { registers: true } })}>Login / Register</Button>}
    >
      You need to login or create an account to save this alert.
    </Dialog>
  );
}
