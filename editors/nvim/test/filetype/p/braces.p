machine Printer
receives eJob;
{
    start state Idle
    {
        on eJob do (job: tJob)
        {
            send job.owner, eDone, job.pages;
        }
    }
}
