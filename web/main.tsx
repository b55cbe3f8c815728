/** Starts the page: theme, keys, the event stream, and the view that the address names. */
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { startLive } from "./api/live.ts";
import { signedOut } from "./api/reading.ts";
import { AttemptPage } from "./attempt/attempt-page.tsx";
import { InboxPage } from "./inbox/inbox-page.tsx";
import { InsightsPage } from "./insights/insights-page.tsx";
import { NewRunPage } from "./new-run/new-run-page.tsx";
import { Empty } from "./parts/states.tsx";
import { RunPage } from "./run/run-page.tsx";
import { RunsPage } from "./runs/runs-page.tsx";
import { startKeyboard } from "./shell/keyboard.ts";
import { place, startRouting } from "./shell/route.ts";
import { Shell } from "./shell/shell.tsx";
import { SignIn } from "./shell/sign-in.tsx";
import { applyTheme } from "./shell/theme.ts";

function Page() {
  const at = place.value;
  switch (at.page) {
    case "runs":
      return <RunsPage />;
    case "run":
      return <RunPage key={at.run} run={at.run} subtask={at.subtask} />;
    case "attempt":
      return <AttemptPage key={`${at.run}/${at.subtask}/${at.attempt}`} {...at} />;
    case "inbox":
      return <InboxPage />;
    case "insights":
      return <InsightsPage />;
    case "new":
      return <NewRunPage />;
    default:
      return (
        <Empty title="There is no such page">
          <a href="/">See the runs</a>
        </Empty>
      );
  }
}

function App() {
  useEffect(() => {
    const at = place.value;
    const what = "run" in at ? at.run : at.page === "nowhere" ? "" : at.page;
    document.title = `${what === "" ? "" : `${what} · `}Unstuck`;
  }, [place.value]);
  if (signedOut.value || place.value.page === "sign-in") return <SignIn />;
  return (
    <Shell>
      <Page />
    </Shell>
  );
}

applyTheme();
startRouting();
startKeyboard();
startLive();
const root = document.querySelector("#page");
if (root !== null) render(<App />, root);
