/** Starts a run from a goal or from the user's own plan. Text typed into one form is kept while the other is shown. */
import { useState } from "preact/hooks";
import { GoalForm } from "./goal-form.tsx";
import { PlanForm } from "./plan-form.tsx";

export function NewRunPage() {
  const [kind, setKind] = useState<"goal" | "plan">("goal");
  return (
    <section class="page new-run" aria-labelledby="title">
      <div class="page-head">
        <h1 id="title">New run</h1>
        <div class="segments" role="group" aria-label="From">
          {(["goal", "plan"] as const).map((one) => (
            <button key={one} aria-pressed={kind === one} onClick={() => setKind(one)}>
              {one === "goal" ? "From a goal" : "From a plan"}
            </button>
          ))}
        </div>
      </div>
      {kind === "plan" ? <PlanForm /> : <GoalForm />}
    </section>
  );
}
