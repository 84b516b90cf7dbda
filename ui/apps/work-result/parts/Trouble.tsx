import { Button } from "../../controls/Button";
import { Banner, Empty } from "../../controls/notes";
import { EXPIRED, type Trouble as What } from "../data/calls";
import { view } from "../view";

interface Props {
  trouble: What;
  retry?: () => void;
  onClose?: () => void;
}

/** Something that did not come about, above what it was about. */
export function Trouble({ trouble, retry, onClose }: Props) {
  const { t, explain } = view;
  const { message, hint } = explain(trouble);
  return (
    <Banner tone="problem" what={message} next={hint}>
      {retry && <Button dense onClick={retry}>{trouble.code === EXPIRED ? t.refresh : t.tryAgain}</Button>}
      {onClose && <Button look="quiet" dense icon="close" label={t.close} onClick={onClose} />}
    </Banner>
  );
}

/** The same where there is nothing else to show. */
export function Failed({ trouble, retry }: Props) {
  const { t, explain } = view;
  const { message, hint } = explain(trouble);
  return (
    <div role="alert">
      <Empty icon="problem" title={t.failedTitle} about={[message, hint].filter(Boolean).join(" ")}>
        {retry && <Button onClick={retry}>{t.tryAgain}</Button>}
      </Empty>
    </div>
  );
}
