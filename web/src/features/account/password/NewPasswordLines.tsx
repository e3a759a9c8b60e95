import { PasswordLine } from '../fields.tsx';

/** The new password, twice. */
export function NewPasswordLines() {
  return (
    <>
      <PasswordLine
        name="newPassword"
        label="New password"
        autoComplete="new-password"
        hint="At least 6 characters, and none that many people use."
        required
      />
      <PasswordLine name="confirmPassword" label="Confirm password" autoComplete="new-password" required />
    </>
  );
}
